// Runs in Markdown previews: turns what is read to the heading that the extension has marked, once for
// each mark, so that a learner who reads elsewhere is not brought back by every redraw.
(() => {
  const KEY = "tutor-turn";
  const turn = () => {
    const heading = document.querySelector("[data-tutor-turn]");
    const wanted = Number(heading?.getAttribute("data-tutor-turn"));
    if (heading && wanted > Number(sessionStorage.getItem(KEY))) {
      heading.scrollIntoView();
      return wanted;
    }
    return undefined;
  };
  // The preview restores its own place when it is loaded, and a moment later once more.
  const settled = () => {
    turn();
    setTimeout(() => {
      const turned = turn();
      if (turned) {
        sessionStorage.setItem(KEY, String(turned));
      }
    }, 150);
  };
  if (document.readyState === "complete") {
    setTimeout(settled);
  } else {
    addEventListener("load", () => setTimeout(settled));
  }
  addEventListener("vscode.markdown.updateContent", settled);
})();
