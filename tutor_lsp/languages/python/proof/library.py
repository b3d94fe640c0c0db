"""Names of the standard library that small solutions use, with the line that brings each."""

_NAMES = {
    "itertools": (
        "accumulate chain combinations cycle dropwhile groupby islice pairwise permutations "
        "product starmap takewhile zip_longest"
    ),
    "functools": "reduce partial cache lru_cache wraps",
    "math": "floor ceil sqrt gcd lcm prod isclose trunc inf",
    "operator": "itemgetter attrgetter",
    "collections": "Counter defaultdict deque OrderedDict namedtuple ChainMap",
    "statistics": "mean median mode fmean",
    "bisect": "bisect_left bisect_right insort",
    "heapq": "heappush heappop nlargest nsmallest",
    "re": "",
    "string": "",
    "textwrap": "",
}
BROUGHT = {
    name: f"from {module} import {name}"
    for module, names in _NAMES.items()
    for name in names.split()
} | {module: f"import {module}" for module in _NAMES}
