"""An animation in Chromium: at three instants its bodies are where the record says, within a pixel, and
it plays without script.

make check-browser
"""

import math
import pathlib
import re
import struct
import subprocess
import sys
import tempfile
import zlib

ROOT = pathlib.Path(__file__).resolve().parents[2]
BIN = ROOT / "build/bin"
# Few bodies, so that marks beside them are seen; one motion with its impacts played slowly.
SCENES = {"crate_on_slope": [], "slider_crank": ["--slow-impacts", "8"], "cradle": [], "tower": []}
SPACE, VIEW = "spheres_in_box", (2.0, -3.0, 1.5)  # seen from there
# Experiments whose record has poses, with their options, and the group of the motion.
EXPERIMENTS = {"masonry_arch": (["--most-voussoirs", "6"], "/fall")}
FRAMES = (0.15, 0.5, 0.9)
ARM, RADIUS = 24, 4  # of a mark beside the origin of a body's frame, and of all marks, pixels


def run(*command, seconds=None):
    return subprocess.run([str(word) for word in command], check=True, capture_output=True, text=True,
                          timeout=seconds).stdout


def columns(record, *paths):
    lines = run(BIN / "carom_columns", record, *paths).splitlines()
    return [[float(word) for word in line.split("\t")] for line in lines if not line.startswith("#")]


def screenshot(page, png, size, budget):
    """Chromium sometimes waits forever on a busy machine: it takes some seconds, and is asked three times."""
    for attempt in range(3):
        try:
            run("chromium", "--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars",
                f"--window-size={size[0]},{size[1]}", f"--virtual-time-budget={budget}", f"--screenshot={png}",
                f"file://{page}", seconds=60)
            return
        except subprocess.TimeoutExpired:
            if attempt == 2:
                raise


def pixels(png):
    """Rows of (r, g, b) of a PNG of eight bits without interlacing."""
    data = pathlib.Path(png).read_bytes()
    at, stream = 8, b""
    while at < len(data):
        length, kind = struct.unpack(">I4s", data[at:at + 8])
        body = data[at + 8:at + 8 + length]
        at += 12 + length
        if kind == b"IHDR":
            width, height, depth, color, _, _, interlaced = struct.unpack(">IIBBBBB", body)
        elif kind == b"IDAT":
            stream += body
    assert depth == 8 and color in (2, 6) and interlaced == 0
    step = 3 if color == 2 else 4
    raw, last, rows = zlib.decompress(stream), bytearray(width * step), []
    for y in range(height):
        start = y * (width * step + 1)
        kind, row = raw[start], bytearray(raw[start + 1:start + 1 + width * step])
        for i in range(len(row)):
            left = row[i - step] if i >= step else 0
            up, corner = last[i], last[i - step] if i >= step else 0
            if kind == 1:
                row[i] = (row[i] + left) & 255
            elif kind == 2:
                row[i] = (row[i] + up) & 255
            elif kind == 3:
                row[i] = (row[i] + (left + up) // 2) & 255
            elif kind == 4:
                guess = left + up - corner
                near = min((abs(guess - left), 0, left), (abs(guess - up), 1, up), (abs(guess - corner), 2, corner))
                row[i] = (row[i] + near[2]) & 255
        rows.append([tuple(row[i:i + 3]) for i in range(0, len(row), step)])
        last = row
    return rows


def axis(svg, direction):
    """What a metre is in pixels along an axis, and where zero is: by two of its marks."""
    unit = {"": 1.0, "m": 1e-3, "µ": 1e-6, "k": 1e3}[re.search(r"</tspan> / (\S?)m<", svg).group(1)]
    marks = re.findall(r'<path class="mark" d="M(\S+) (\S+)([vh])-?5"/><text[^>]*>([^<]+)<', svg)
    places = [(float(value) * unit, float(x if direction == "v" else y))
              for x, y, kind, value in marks if kind == direction]
    (a, p), (b, q) = places[0], places[-1]
    scale = (q - p) / (b - a)
    return scale, p - scale * a


def marked(svg, script, seconds):
    """A page that shows the motion at an instant, only the marks that a script makes."""
    return ('<!doctype html><meta charset="utf-8"><style>body{margin:0} svg>*:not(.body){visibility:hidden} '
            ".body,.body *{visibility:hidden} .body .probe,.probe{visibility:visible;stroke:none;fill-opacity:1;"
            "shape-rendering:crispEdges}</style>" + svg.split("?>", 1)[1] + f"<script>{script}"
            f"const s = document.querySelector('svg'); s.pauseAnimations(); s.setCurrentTime({seconds!r});</script>")


def arms(bodies):
    """Marks of colours of their own on the frames of bodies in the plane, and beside them."""
    return "".join(
        f"""for (const x of [0, {ARM}]) {{
            const c = document.createElementNS('http://www.w3.org/2000/svg', 'circle');
            c.setAttribute('cx', x); c.setAttribute('r', {RADIUS}); c.setAttribute('class', 'probe');
            c.setAttribute('style', 'fill:rgb(' + (x > 0 ? 200 : 0) + ',{8 * k},{255 - 8 * k})');
            document.getElementById('body-{k}').appendChild(c); }}""" for k in range(bodies))


def centres(names):
    """Spheres as dots of colours of their own: of each body the largest circle."""
    return f"const names = {names!r}, most = {{}};" + f"""
        for (const title of document.querySelectorAll('circle>title')) {{
            const c = title.parentNode, k = names.indexOf(title.textContent);
            if (!(k in most) || c.getAttribute('r') - most[k].getAttribute('r') > 0) most[k] = c; }}
        for (const k in most) {{
            most[k].setAttribute('r', {RADIUS}); most[k].setAttribute('class', 'body probe');
            most[k].setAttribute('style', 'stroke:none;fill-opacity:1;fill:rgb(0,' + 2 * k + ',' + (255 - 2 * k) + ')'); }}"""


def projected(place):
    """Along the view: across, and up."""
    x, y, z = VIEW
    flat, length = math.hypot(x, y), math.hypot(x, y, z)
    return ((x * place[1] - y * place[0]) / flat,
            (flat * place[2] - z * (x * place[0] + y * place[1]) / flat) / length)


def played_at(svg, time, first, last):
    """Seconds after the beginning at which an instant is played: where the mark on the line of time is."""
    line = re.search(r'<animate attributeName="cx" dur="(\S+)s"[^>]*values="([^"]*)" keyTimes="([^"]*)"', svg)
    duration = float(line.group(1))
    places, keys = ([float(word) for word in line.group(k).split(";")] for k in (2, 3))
    share = places[0] + (time - first) / (last - first) * (places[-1] - places[0])
    for a, b, k, m in zip(places, places[1:], keys, keys[1:]):
        if a <= share <= b and b > a:
            return duration * (k + (share - a) / (b - a) * (m - k))
    raise AssertionError(f"{time} s is not played")


def dots_of(png):
    """Pixels by their colours."""
    found = {}
    for y, row in enumerate(pixels(png)):
        for x, color in enumerate(row):
            if color != (255, 255, 255):
                found.setdefault(color, []).append((x + 0.5, y + 0.5))
    return found


def middle(dots):
    """Of a mark; none of one behind that of another body."""
    if len(dots) < 0.9 * math.pi * RADIUS**2:
        return None
    return [sum(dot[axis] for dot in dots) / len(dots) for axis in (0, 1)]


def simulate(name, options, folder):
    run(BIN / "simulate", ROOT / f"data/examples/{name}.scene", "--output", folder / f"{name}.h5", "--quiet",
        "--animate", folder / f"{name}.svg", *options)


def animate(name, options, group, folder):
    record = folder / f"{name}.h5"
    run(BIN / name, "--output", record, "--quiet", *options)
    run(BIN / "animate", record, "--group", group, "--output", folder / f"{name}.svg")


def check(name, group, folder):
    record, picture, png = (folder / f"{name}.{ending}" for ending in ("h5", "svg", "png"))
    svg = picture.read_text(encoding="utf-8")
    size = [int(word) for word in re.search(r'width="(\d+)" height="(\d+)"', svg).groups()]
    time = [row[0] for row in columns(record, f"{group}/time")]
    poses = [columns(record, f"{group}/body_{word}") for word in ("x", "y", "angle")]
    (scale_x, zero_x), (scale_y, zero_y) = axis(svg, "v"), axis(svg, "h")
    bodies, seen, worst = len(poses[0][0]), 0, 0.0
    for share in FRAMES:
        i = round(share * (len(time) - 1))
        page = folder / "page.html"
        page.write_text(marked(svg, arms(bodies), played_at(svg, time[i], time[0], time[-1])), encoding="utf-8")
        screenshot(page, png, size, 100)
        found = dots_of(png)
        for k in range(bodies):
            x, y, angle = (column[i][k] for column in poses)
            for arm, red in ((0, 0), (ARM, 200)):
                center = middle(found.get((red, 8 * k, 255 - 8 * k), []))
                if center is None:
                    continue
                seen += 1
                expected = (zero_x + scale_x * x + arm * math.cos(angle), zero_y + scale_y * y - arm * math.sin(angle))
                worst = max(worst, math.dist(center, expected))
    print(f"{name}: {seen} of {2 * bodies * len(FRAMES)} marks seen, the farthest by {worst:.2f} pixels")
    return worst <= 1.0 and seen >= 0.75 * 2 * bodies * len(FRAMES)


def check_space(folder):
    """Spheres are where the record has them along the view, and the axes say where that is."""
    record, picture, png = (folder / f"{SPACE}.{ending}" for ending in ("h5", "svg", "png"))
    svg = picture.read_text(encoding="utf-8")
    size = [int(word) for word in re.search(r'width="(\d+)" height="(\d+)"', svg).groups()]
    time = [row[0] for row in columns(record, "/moreau_jean/time")]
    poses = [columns(record, f"/moreau_jean/body_{word}") for word in "xyz"]
    names = [f"ball_{k + 1}" for k in range(len(poses[0][0]))]
    (scale_x, zero_x), (scale_y, zero_y) = axis(svg, "v"), axis(svg, "h")
    seen, worst = 0, 0.0
    for share in FRAMES:
        i = round(share * (len(time) - 1))
        page = folder / "page.html"
        page.write_text(marked(svg, centres(names), played_at(svg, time[i], time[0], time[-1])), encoding="utf-8")
        screenshot(page, png, size, 100)
        found = dots_of(png)
        for k in range(len(names)):
            center = middle(found.get((0, 2 * k, 255 - 2 * k), []))
            if center is not None:
                across, up = projected([column[i][k] for column in poses])
                seen += 1
                worst = max(worst, math.dist(center, (zero_x + scale_x * across, zero_y + scale_y * up)))
    print(f"{SPACE}: {seen} of {len(names) * len(FRAMES)} spheres seen, the farthest by {worst:.2f} pixels")
    return worst <= 1.0 and seen >= 0.75 * len(names) * len(FRAMES)


def plays(folder):
    """Whether the file alone moves in a browser: its pictures of two instants differ."""
    svg = folder / "cradle.svg"
    pictures = [folder / f"{budget}.png" for budget in (500, 1500)]
    for png in pictures:
        screenshot(svg, png, (900, 500), png.stem)
    return pixels(pictures[0]) != pixels(pictures[1])


def main():
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        for scene, options in SCENES.items():
            simulate(scene, options, folder)
        simulate(SPACE, ["--duration", "0.6", "--view", ",".join(str(part) for part in VIEW)], folder)
        for program, (options, group) in EXPERIMENTS.items():
            animate(program, options, group, folder)
        good = [check(scene, "/moreau_jean", folder) for scene in SCENES]
        good += [check(program, group, folder) for program, (_, group) in EXPERIMENTS.items()]
        good.append(check_space(folder))
        moves = plays(folder)
    print("the file alone", "plays" if moves else "does not play")
    sys.exit(0 if all(good) and moves else 1)


main()
