/**
 * What colours mean in the dashboard, and the steps of its grid. The colours themselves are those of every page of the
 * service (`worker/reference/pages/base-style.ts`), so that they are chosen in one place, by day and by night.
 */
export const tokens = `
:root {
  --good: var(--get); --busy: var(--patch); --bad: var(--delete); --idle: var(--soft);
  --s1: 0.25rem; --s2: 0.5rem; --s3: 1rem; --s4: 1.5rem; --s5: 2rem; --s6: 3rem; --s7: 4rem;
  --small: 0.875rem; --text: 0.9375rem; --large: 1rem;
  --radius: 6px; --edge: clamp(1rem, 4vw, 2.5rem); --side: max(var(--edge), (100% - 76rem) / 2);
  --tint: color-mix(in srgb, var(--ink) 5%, var(--paper));
}
`
