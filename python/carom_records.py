"""Read the records (HDF5) of carom's programs as xarray datasets.

    import carom_records

    record = carom_records.open("half.h5")
    motion = record["/moreau_jean"]                  # an xarray.Dataset
    motion.position.sel(coordinate=0).plot()         # labelled with description and unit

    carom_records.parameters("half.h5")["restitution"].value
    print(carom_records.describe("half.h5"))         # what it holds

One file without a build step: put it where Python finds it (PYTHONPATH=python). It needs h5py and
xarray. On the command line it prints what a record holds, or one group of it:

    python3 python/carom_records.py FILE [GROUP]
"""

import collections
import collections.abc
import difflib
import os
import signal
import sys
import textwrap

import h5py
import numpy
import xarray

# Attributes by which HDF5 and netCDF store the axes. xarray has dimensions and coordinates instead.
AXIS_ATTRIBUTES = {"CLASS", "NAME", "REFERENCE_LIST", "DIMENSION_LIST", "DIMENSION_LABELS"}
WIDTH = 80  # columns of what describe() returns

Parameter = collections.namedtuple("Parameter", "value units long_name")
Parameter.__doc__ = "A number, a text or a list; its unit, None for a text; what it is."


def open(path):
    """Return the groups of a record: a mapping from their paths, "/moreau_jean", to xarray.Dataset.

    A group is read whole when it is asked for, each time anew, so keep what you work on.
    No file stays open between: a program may write the record again meanwhile.

    In a dataset numbers have the type and the values of the record, and `units` and `long_name` as
    attributes; scalars are variables without a dimension, texts are text. The axes of the variables
    are coordinates, also those that stand in a group above, unless the group has a variable of that
    name. Where both axes of a matrix are one (mass[coordinate, coordinate]), the second is called
    `other_coordinate`. "/" has what describes the record (title, source, seed, ...) as attributes.

    Raises FileNotFoundError without such a file, ValueError if it is no record of carom. Asking for
    a group that does not exist raises KeyError.
    """
    return Record(path)


def parameters(path):
    """Return the parameters of the run, with the values used: a dict from name to Parameter.

    parameters("half.h5")["restitution"] is
    Parameter(value=0.5, units='1', long_name='coefficient e of the impacts').
    """
    with _open_file(path) as file:
        group = _find_group(file, "/parameters")
        return {
            name: Parameter(
                _values(item).tolist(), item.attrs.get("units"), item.attrs["long_name"]
            )
            for name, item in _data_sets(group).items()
            if not h5py.h5ds.is_scale(item.id)
        }


def describe(path, group="/"):
    """Return a table of the record, or of what stands in and below a group, 80 columns wide.

    Below the path of a group is a line for each of its data sets: name, shape, unit, description.
    """
    with _open_file(path) as file:
        top = _find_group(file, group)
        about = "source {source}, schema {schema}, carom {carom_version}".format(**file.attrs)
        lines = textwrap.wrap(file.attrs["title"], WIDTH) + textwrap.wrap(about, WIDTH)
        for group in _groups_of(top):
            head = f"{group.name}  {group.attrs.get('long_name', '')}"
            lines += ["", *textwrap.wrap(head, WIDTH, subsequent_indent="    ")]
            for name, item in _data_sets(group).items():
                lines += _table_row(name, item)
    return "\n".join(lines)


class Record(collections.abc.Mapping):
    """The groups of a record, each read when it is asked for; see open()."""

    def __init__(self, path):
        self.path = os.fspath(path)
        with _open_file(path) as file:
            self._title = file.attrs["title"]
            self._groups = [group.name for group in _groups_of(file["/"])]

    def __getitem__(self, group):
        with _open_file(self.path) as file:
            return _read_group(_find_group(file, group))

    def __contains__(self, group):  # without reading it
        return _full_path(group) in self._groups

    def __iter__(self):
        return iter(self._groups)

    def __len__(self):
        return len(self._groups)

    def __repr__(self):
        return f"<record {self.path!r}: {self._title}; {len(self)} groups>"


def _open_file(path):
    """Open a record to read; what it is must be said in its root attributes."""
    path = os.fspath(path)
    if not os.path.exists(path):
        raise FileNotFoundError(f"there is no file {path!r}")
    try:
        file = h5py.File(path, "r")
    except OSError as error:
        reason = os.strerror(error.errno) if error.errno else error
        raise ValueError(f"{path!r} cannot be read as a record of carom: {reason}") from None
    for name in ("title", "source", "schema", "carom_version"):
        if name not in file.attrs:
            file.close()
            raise ValueError(f"{path!r} is no record of carom: it has no attribute {name!r}")
    return file


def _full_path(group):
    return "/" + str(group).strip("/")


def _find_group(file, path):
    path = _full_path(path)
    item = file.get(path)
    if isinstance(item, h5py.Dataset):
        group = item.parent.name
        raise KeyError(f"{path!r} of {file.filename!r} is a data set of the group {group!r}")
    if item is None:
        near = difflib.get_close_matches(path, [group.name for group in _groups_of(file["/"])], n=1)
        hint = f"; the nearest is {near[0]!r}" if near else ""
        raise KeyError(f"{file.filename!r} has no group {path!r}{hint}")
    return item


def _groups_of(top):
    """A group and all groups below it, each before its own."""
    groups = [top]
    for item in top.values():
        if isinstance(item, h5py.Group):
            groups += _groups_of(item)
    return groups


def _data_sets(group):
    return {name: item for name, item in group.items() if isinstance(item, h5py.Dataset)}


def _read_group(group):
    """The data sets of a group as one xarray.Dataset."""
    variables, axes = {}, {}
    for name, item in _data_sets(group).items():
        if h5py.h5ds.is_scale(item.id):
            dimensions = [name]
        else:
            dimensions = _dimensions(item)
            axes.update(zip(dimensions, (axis[0] for axis in item.dims)))
        variables[name] = _variable(dimensions, item)
    # Axes that stand in a group above, and the second of a matrix whose axes are one.
    for name, axis in axes.items():
        if name not in variables:
            variables[name] = _variable([name], axis)
    return xarray.Dataset(variables, attrs=_attributes(group))


def _dimensions(item):
    """Names of the axes of a data set; xarray wants them distinct."""
    names = [axis.label for axis in item.dims]
    if len(names) == 2 and names[0] == names[1]:
        names[1] = f"other_{names[1]}"
    return names


def _variable(dimensions, item):
    return xarray.Variable(dimensions, _values(item), _attributes(item))


def _values(item):
    """Numbers or text of a data set, as a NumPy array of its shape."""
    return numpy.asarray(item.asstr()[()] if _is_text(item) else item[()])


def _is_text(item):
    return h5py.check_string_dtype(item.dtype) is not None


def _attributes(item):
    return {name: value for name, value in item.attrs.items() if name not in AXIS_ATTRIBUTES}


def _table_row(name, item):
    """Lines of the table: name, shape and unit in columns, the description wrapped beside them."""
    shape = " x ".join(map(str, item.shape)) or ("text" if _is_text(item) else "scalar")
    head = f"  {name:<22} {shape:>9}  {item.attrs.get('units', ''):<8} "
    indent = " " * 45
    lines = []
    if len(head) > len(indent):  # too long for its columns: the description begins below
        lines, head = [head.rstrip()], indent
    text = item.attrs["long_name"]
    return lines + textwrap.wrap(text, WIDTH, initial_indent=head, subsequent_indent=indent)


def main(arguments):
    """Print the description of a record; return the exit status."""
    if len(arguments) not in (1, 2) or arguments[0].startswith("-"):
        print("usage: carom_records.py FILE [GROUP]", file=sys.stderr)
        return 2
    try:
        print(describe(*arguments))
    except (OSError, ValueError, KeyError) as error:
        print(f"carom_records.py: {error.args[0]}", file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    signal.signal(signal.SIGPIPE, signal.SIG_DFL)  # `| head` ends it without a word
    sys.exit(main(sys.argv[1:]))
