"""What python/carom_records.py reads of small records, against h5py, h5netcdf and carom_columns.

make check-python
"""

import pathlib
import re
import subprocess
import sys

import h5py
import numpy
import pytest
import xarray

ROOT = pathlib.Path(__file__).resolve().parents[2]
READER = ROOT / "python" / "carom_records.py"
sys.path.insert(0, str(READER.parent))

import carom_records  # noqa: E402  (found by the path above)

# Between them: series over time, texts, lists, matrices over one axis twice, axes of groups above.
PROGRAMS = {
    "bouncing_ball": ["--duration", "1.1", "--step", "0.02", "--restitution", "0.65"],
    "nonsmooth_modes": ["--masses", "1,2,1", "--stiffnesses", "5,5,5", "--gap", "1", "--intervals"],
    "impact_problem": ["--problem", ROOT / "data/examples/block.txt", "--impulse-step", "0.3"],
    "newtons_cradle": [],
    "biped_rocking": [],
}
AXIS_ATTRIBUTES = ["CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "DIMENSION_LABELS"]


@pytest.fixture(scope="session")
def records(tmp_path_factory):
    """Paths of one record of each program."""
    folder = tmp_path_factory.mktemp("records")
    paths = {name: str(folder / f"{name}.h5") for name in PROGRAMS}
    for name, options in PROGRAMS.items():
        program = [ROOT / "build/bin" / name, "--quiet", *options, "--output", paths[name]]
        subprocess.run(program, check=True, stdout=subprocess.DEVNULL)
    return paths


@pytest.fixture
def ball(records):
    return records["bouncing_ball"]


def groups_and_data_sets(path):
    """Names of all groups, and of all data sets, by h5py's own walk."""
    names = {h5py.Group: ["/"], h5py.Dataset: []}
    with h5py.File(path) as file:
        file.visititems(lambda name, item: names[type(item)].append("/" + name))
    return names[h5py.Group], names[h5py.Dataset]


def columns(path, *data_sets):
    """What build/bin/carom_columns prints of data sets with one column, as numbers [row][column]."""
    program = [ROOT / "build/bin/carom_columns", path, *data_sets]
    text = subprocess.run(program, check=True, capture_output=True, text=True).stdout
    return numpy.array([line.split() for line in text.splitlines() if line[:1] != "#"], dtype=float)


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_data_set_has_the_type_values_and_attributes_that_h5py_reads(records, name):
    record = carom_records.open(records[name])
    groups, data_sets = groups_and_data_sets(records[name])
    assert sorted(record) == sorted(groups)
    assert len(data_sets) > 10
    with h5py.File(records[name]) as file:
        read = {group: record[group] for group in groups}
        for path in data_sets:
            group, _, variable = path.rpartition("/")
            actual, expected = read[group or "/"][variable], file[path]
            attributes = set(expected.attrs) - set(AXIS_ATTRIBUTES)
            assert actual.attrs == {key: expected.attrs[key] for key in attributes}
            assert actual.long_name and actual.shape == expected.shape
            if h5py.check_string_dtype(expected.dtype):
                assert actual.item() == expected[()].decode() != ""
            else:
                assert actual.dtype == expected.dtype and actual.units
                assert actual.values.tobytes() == expected[()].tobytes()


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_group_is_what_h5netcdf_reads_besides_axes_of_groups_above(records, name):
    for group, actual in carom_records.open(records[name]).items():
        with xarray.open_dataset(
            records[name], group=group, engine="h5netcdf", decode_cf=False
        ) as expected:
            for variable in expected.variables:
                dimensions = tuple(dim.replace("other_coord", "coord") for dim in actual[variable].dims)
                assert dimensions == expected[variable].dims
                numpy.testing.assert_array_equal(actual[variable], expected[variable])


@pytest.mark.parametrize("name", PROGRAMS)
def test_every_axis_is_a_coordinate(records, name):
    for data in carom_records.open(records[name]).values():
        for dimension in data.sizes:
            assert dimension in data.coords and data[dimension].long_name and data[dimension].units


def test_columns_prints_the_same_numbers(ball):
    data = carom_records.open(ball)["/moreau_jean"]
    printed = columns(ball, "/moreau_jean/time", "/moreau_jean/position", "/moreau_jean/energy")
    assert printed.shape == (56, 3)  # 1.1 s in steps of 0.02 s, and the start
    numpy.testing.assert_array_equal(printed[:, 0], data.time)
    numpy.testing.assert_array_equal(printed[:, 1], data.position.sel(coordinate=0))
    numpy.testing.assert_array_equal(printed[:, 2], data.energy)


def test_a_motion_is_selected_by_time_and_labelled_with_units(ball):
    data = carom_records.open(ball)["moreau_jean"]
    assert data.position.dims == ("time", "coordinate")
    chosen = data.position.sel(time=0.4, coordinate=0, method="nearest")
    assert float(chosen.time) == pytest.approx(0.4)
    assert (data.time.units, data.position.units, data.velocity.units) == ("s", "m", "m s-1")
    assert data.time.dtype == float  # seconds are numbers, no time spans
    assert "Moreau" in data.long_name


def test_a_group_prints_its_coordinates_and_numbers(ball):
    text = repr(carom_records.open(ball)["/moreau_jean"])
    for part in ("* time", "0.02", "position", "(time, coordinate) float64", "Moreau-Jean scheme"):
        assert part in text
    assert "DIMENSION" not in text and "REFERENCE" not in text
    assert ball in repr(carom_records.open(ball))


def test_the_root_says_what_the_record_is(ball):
    attributes = carom_records.open(ball)["/"].attrs
    assert attributes["source"] == "bruls-2014" and attributes["schema"].startswith("bouncing_ball")


def test_axes_of_groups_above_are_coordinates(records):
    before = carom_records.open(records["impact_problem"])["/before"]
    with h5py.File(records["impact_problem"]) as file:
        assert "contact" not in file["/before"] and "contact" in file
        numpy.testing.assert_array_equal(before.contact, file["/contact"])
        assert before.contact.long_name == file["/contact"].attrs["long_name"]


def test_a_matrix_over_one_axis_has_two_dimensions(records):
    mass = carom_records.open(records["biped_rocking"])["/modes"].mass
    assert mass.dims == ("coordinate", "other_coordinate")
    numpy.testing.assert_array_equal(mass.coordinate, mass.other_coordinate)
    assert mass.sel(coordinate=0, other_coordinate=2) == mass.sel(coordinate=2, other_coordinate=0)


def test_parameters_have_values_and_units(records, ball):
    parameters = carom_records.parameters(ball)
    assert parameters["restitution"][:2] == (0.65, "1")
    assert parameters["step"][:2] == (0.02, "s") and parameters["step"].long_name
    assert parameters["scheme"][:2] == ("all", None)
    lists = carom_records.parameters(records["newtons_cradle"])
    assert isinstance(lists["frequencies"].value, list) and len(lists["frequencies"].value) == 3
    assert "frequencies_entry" not in lists


@pytest.mark.parametrize("name", PROGRAMS)
def test_the_description_names_everything_in_80_columns(records, name):
    lines = carom_records.describe(records[name]).splitlines()
    assert max(map(len, lines)) <= 80
    groups, data_sets = groups_and_data_sets(records[name])
    heads = [line.split()[0] for line in lines if line.startswith("/")]
    assert sorted(heads) == sorted(groups)
    rows = [line.split()[0] for line in lines if re.match("  [^ ]", line)]
    assert sorted(rows) == sorted(path.rpartition("/")[2] for path in data_sets)


def test_a_row_has_shape_unit_and_description(ball):
    lines = carom_records.describe(ball, "/moreau_jean").splitlines()
    rows = [line.split(maxsplit=5) for line in lines]
    assert ["position", "56", "x", "1", "m", "position q at the end of the step"] in rows
    assert ["contact_position_multiplier", "56", "x", "1", "N", "s2"] in rows  # too long, so alone
    assert not any(line.startswith("/exact") for line in lines)


def test_the_command_line_prints_the_description(ball):
    def run(*arguments):
        program = [sys.executable, "-B", READER, *arguments]
        return subprocess.run(program, capture_output=True, text=True)

    assert run(ball).stdout == carom_records.describe(ball) + "\n"
    assert run(ball, "exact").stdout == carom_records.describe(ball, "/exact") + "\n"
    refused = run("absent.h5")
    assert (refused.returncode, refused.stdout) == (1, "")
    assert refused.stderr == "carom_records.py: there is no file 'absent.h5'\n"
    assert run().returncode == run("--help").returncode == 2


def test_what_is_no_record_is_refused_with_its_name(ball, tmp_path):
    text, foreign, cut = (str(tmp_path / name) for name in ("text.h5", "foreign.h5", "cut.h5"))
    pathlib.Path(text).write_text("1 2 3\n")
    with h5py.File(foreign, "w") as file:
        file["x"] = 1.5
    pathlib.Path(cut).write_bytes(pathlib.Path(ball).read_bytes()[:5000])
    for read in (carom_records.open, carom_records.parameters, carom_records.describe):
        with pytest.raises(FileNotFoundError, match="^there is no file 'absent.h5'$"):
            read("absent.h5")
        for path in (text, foreign, cut, str(tmp_path)):
            with pytest.raises(ValueError, match=f"^'{path}' .*record of carom: [^\n]*$"):
                read(path)


def test_a_group_that_does_not_exist_is_refused_with_the_nearest(ball):
    record = carom_records.open(ball)
    with pytest.raises(KeyError, match="has no group '/moreau_jan'; the nearest is '/moreau_jean'"):
        record["/moreau_jan"]
    with pytest.raises(KeyError, match="'/moreau_jean/time' of .* is a data set of the group"):
        record["/moreau_jean/time"]
    assert "moreau_jean" in record and "/moreau_jean/time" not in record
    assert record.get("/moreau_jan") is None


def test_no_file_stays_open(ball):
    record = carom_records.open(ball)
    record["/moreau_jean"]
    with h5py.File(ball, "r+"):  # HDF5 refuses this to a file that is open to be read
        pass
