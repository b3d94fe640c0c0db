"""Texts of a given size that checks of a model's text are tried on, and what that costs."""

import threading
import time

BITS = [
    "a", "é", "中", "e\u0301", "ab ", "a b(c) ", "return x; ", "_", "__ ", "test_", "\\", "&",
    "&lt;", "1 ", "1. ", "-- ", "\t", "\n", " ", "\r", "\u2028", "'", "\"", "\\\"", "`", "`a` ",
    "``` ", "```\n", "~~~\n", "* ", "**a ", "*a _b ", "- a\n", "> ", ">", "# a\n", "## ", "---\n",
    "===\n", "|", "|a|b|\n", "[", "[a](b) ", "[a]: b\n", "](x)", "![", "<", "<a ", "<code>",
    "<b>", "<!--", "</p>", "http://a ", "(", ")", "()", "[{(", "x)", "{}", "/*", "/* your ", "*/",
    "// a\n", "#define f(a) b\n", "=", "a=", "a, ", "f'{", "fn f(){", "lambda x: ", "|x| ",
    "a.b.", "a::", "replace ", "replace a with ", "instead of ", "a instead of b ", "test is ",
    "the test wrong ", "all tests pass ", "first add ", "you must ", "learner ", "it prints `",
    "print(1) # ", "error ", "r e t u r n ", "| a | ", "AAAA", "___ ", "...", "…", ">>> a\n",
    "x == ", "Start here: ", "ex-1 - First principle: ",
]  # fmt: skip


def stairs(mark: str, size: int) -> str:
    """The mark once, twice, three times, …"""
    out, length = [], 0
    while length < size:
        out.append(mark * (len(out) + 1) + " ")
        length += len(out[-1])
    return "".join(out)[:size]


def shapes(size: int):
    """Name and text of each shape, at most `size` bytes long."""
    for bit in BITS:
        raw = (bit * (size // len(bit.encode()) + 1)).encode()[:size]
        yield repr(bit), raw.decode("utf-8", "ignore")
    for mark in "`*[(<_~>":
        yield f"stairs of {mark}", stairs(mark, size)
    for left, right in (("[", "]("), ("(", ")"), ("**a ", "**"), ("`", "``"), ("[", "]")):
        count = size // (len(left) + len(right))
        yield f"{left}…{right}", left * count + right * count
    yield "nested lists", "".join(" " * (2 * at) + "- a\n" for at in range(size))[:size]
    yield "one word and a sign", "a" * (size - 1) + "="
    yield "print and blanks", "print(" + " " * (size - 6)


def cost_ms(check, text: str) -> float:
    """Processor time of the fastest of three calls: others' load does not count."""
    best = float("inf")
    for _ in range(3):
        before = time.thread_time()
        check(text)
        best = min(best, (time.thread_time() - before) * 1000)
        if best < 1:
            break
    return best


def longest_hold_ms(work) -> float:
    """The longest time on the processor that `work` had in a row while another thread waited, of
    the best of three tries: what other programs take does not count."""
    work()
    return min(_longest_hold_ms(work) for _ in range(3))


def _longest_hold_ms(work) -> float:
    begin, done = threading.Event(), threading.Event()

    def run():
        begin.wait()
        try:
            work()
        finally:
            done.set()
            ended.wait()

    ended = threading.Event()
    worker = threading.Thread(target=run)
    worker.start()
    clock = time.pthread_getcpuclockid(worker.ident)
    longest = last = 0.0
    begin.set()
    while not done.wait(0.001):
        now = time.clock_gettime(clock) * 1000
        longest, last = max(longest, now - last), now
    longest = max(longest, time.clock_gettime(clock) * 1000 - last)
    ended.set()
    worker.join()
    return longest
