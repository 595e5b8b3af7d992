// The row of an item in the inspector, for whoever follows a link to it.

/** Opens its section, brings it into view and marks it for a moment. */
export function showItem(path: string): void {
  // After the inspector has its component.
  requestAnimationFrame(() =>
    requestAnimationFrame(() => {
      const row = document.querySelector<HTMLElement>(`.inspector [data-item="${CSS.escape(path)}"]`);
      if (!row) return;
      const section = row.closest('details');
      if (section) section.open = true;
      row.scrollIntoView({block: 'nearest'});
      row.classList.remove('is-shown');
      void row.offsetWidth; // begins the animation anew
      row.classList.add('is-shown');
    }),
  );
}
