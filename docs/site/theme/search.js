// Finds sections that have all words of the search box. The index is loaded when the box is first used.
(() => {
  const box = document.getElementById("search");
  const list = document.getElementById("found");
  const root = box.dataset.root + "/";
  const most = 12;
  let chosen = -1;

  function load(then) {
    if (window.searchIndex) return then();
    const script = document.createElement("script");
    script.src = root + "search_index.js";
    script.onload = then;
    document.head.append(script);
  }

  // In titles words count more than in the text, at the beginning of a word more than inside.
  function rank(section, words) {
    const [, page, title, text] = section;
    let sum = 0;
    for (const word of words) {
      let best = 0;
      for (const [where, weight] of [[title, 40], [page, 20], [text, 4]]) {
        const at = where.toLowerCase().indexOf(word);
        if (at < 0) continue;
        const isBegin = at === 0 || !/\w/.test(where[at - 1]);
        const isWhole = isBegin && !/\w/.test(where[at + word.length] || " ");
        best = Math.max(best, weight * (isWhole ? 3 : isBegin ? 2 : 1));
      }
      if (best === 0) return 0;
      sum += best;
    }
    return sum;
  }

  function excerpt(text, word) {
    const at = Math.max(0, text.toLowerCase().indexOf(word) - 40);  // without a word: the start
    return (at > 0 ? "… " : "") + text.slice(at, at + 130) + (text.length > at + 130 ? " …" : "");
  }

  function add(section, words) {
    const [url, page, title, text] = section;
    const link = document.createElement("a");
    link.href = root + url;
    const name = document.createElement("b");
    name.textContent = title && title !== page ? page + ": " + title : page;
    const part = document.createElement("span");
    part.textContent = excerpt(text, words.findLast((word) => text.toLowerCase().includes(word)));
    link.append(name, part);
    const entry = document.createElement("li");
    entry.append(link);
    list.append(entry);
  }

  function show() {
    const words = box.value.toLowerCase().split(/\s+/).filter((word) => word.length > 0);
    list.replaceChildren();
    chosen = -1;
    list.hidden = words.length === 0;
    if (list.hidden) return;
    const ranked = window.searchIndex.map((section) => [rank(section, words), section]);
    const found = ranked.filter(([value]) => value > 0).sort(([a], [b]) => b - a).slice(0, most);
    for (const [, section] of found) add(section, words);
    if (found.length === 0) {
      const nothing = document.createElement("li");
      nothing.textContent = "Nothing found";
      list.append(nothing);
    }
  }

  function move(step) {
    const links = list.querySelectorAll("a");
    if (links.length === 0) return;
    chosen = (chosen + step + links.length) % links.length;
    links.forEach((link, number) => link.classList.toggle("chosen", number === chosen));
  }

  box.addEventListener("input", () => load(show));
  box.addEventListener("keydown", (event) => {
    if (event.key === "ArrowDown") move(1);
    else if (event.key === "ArrowUp") move(-1);
    else if (event.key === "Enter") (list.querySelector("a.chosen") || list.querySelector("a"))?.click();
    else if (event.key === "Escape") { box.value = ""; list.hidden = true; box.blur(); }
    else return;
    event.preventDefault();
  });
  document.addEventListener("keydown", (event) => {
    if (event.key !== "/" || document.activeElement === box) return;
    box.focus();
    event.preventDefault();
  });
  document.addEventListener("click", (event) => {
    if (!event.target.closest(".search")) list.hidden = true;
  });
  document.querySelector("nav.pages a.current")?.scrollIntoView({ block: "center" });
  window.scrollTo(0, 0);
})();
