// What the theme leaves to be done for keyboards and screen readers.

// A box that scrolls can be reached with the keyboard.
function reach() {
  document.querySelectorAll("mjx-container, div.math, pre, .cell_output .output").forEach((box) => {
    if (box.scrollWidth > box.clientWidth + 1) box.tabIndex = 0;
  });
}

// What a button is called is what it says.
function name() {
  document.querySelectorAll(".search-button-field").forEach((button) => {
    button.setAttribute("aria-label", button.textContent.replace(/\s+/g, " ").trim());
  });
  document.querySelectorAll("details.hide > summary").forEach((summary) => {
    summary.removeAttribute("aria-label");
  });
}

window.addEventListener("load", () => {
  name();
  const formulas = window.MathJax && MathJax.startup ? MathJax.startup.promise : Promise.resolve();
  formulas.then(() => { reach(); document.body.dataset.ready = "yes"; });
});
window.addEventListener("resize", () => setTimeout(reach, 400));  // after the theme's own
document.addEventListener("toggle", reach, true);  // of a fold
