// Runs in Markdown previews: turns what is read to the heading that the extension has marked, once for
// each mark, so that a learner who reads elsewhere is not brought back by every redraw.
(() => {
  // A heading near the lower edge shows nothing of its section.
  const isInView = (heading) => {
    const { top } = heading.getBoundingClientRect();
    return top >= 0 && top < document.documentElement.clientHeight / 2;
  };
  const turn = () => {
    const heading = document.querySelector("[data-tutor-turn]");
    const wanted = Number(heading?.getAttribute("data-tutor-turn"));
    // Previews of several files may share this storage.
    const key = `tutor-turn ${heading?.getAttribute("data-tutor-file")}`;
    if (heading && wanted > Number(sessionStorage.getItem(key))) {
      if (heading.getAttribute("data-tutor-gentle") !== "true" || !isInView(heading)) {
        heading.scrollIntoView();
      }
      return () => sessionStorage.setItem(key, String(wanted));
    }
    return undefined;
  };
  // The preview restores its own place when it is loaded, and a moment later once more.
  const settled = () => {
    turn();
    setTimeout(() => turn()?.(), 150);
  };
  if (document.readyState === "complete") {
    setTimeout(settled);
  } else {
    addEventListener("load", () => setTimeout(settled));
  }
  addEventListener("vscode.markdown.updateContent", settled);
})();
