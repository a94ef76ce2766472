// Code and tables that are wider than the page can be scrolled with the keyboard: the theme gives them no focus.
const SCROLLING = ".md-typeset pre > code, .md-typeset__scrollwrap, .md-typeset__table";
const makeFocusable = () => {
  for (const part of document.querySelectorAll(SCROLLING)) {
    if (part.scrollWidth > part.clientWidth) part.tabIndex = 0;
    else part.removeAttribute("tabindex");
  }
};
addEventListener("load", makeFocusable);
addEventListener("resize", makeFocusable);
addEventListener("toggle", makeFocusable, true);  // what was folded had no width

// The theme leaves its dialog of search without a name.
document.querySelector(".md-search")?.setAttribute("aria-label", "Search");
