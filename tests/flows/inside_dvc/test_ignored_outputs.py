"""New lines of .gitignore come in the order of the plan, whichever stage was the first to end."""

from flows.inside_dvc.ignored_outputs import in_order


def test_new_lines_take_the_order_of_the_plan_and_all_others_their_places():
    before = ["# mine\n", "/z\n"]
    lines = [*before, "/c\n", "/another\n", "/a\\*b\n", "/b\n"]
    assert in_order(lines, before, ["/z", "/a*b", "/b", "/c"]) == [*before, "/a\\*b\n", "/another\n", "/b\n", "/c\n"]
