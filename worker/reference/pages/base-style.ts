/** The style that all pages share: colours by day and by night, type, and the brand. */
export const baseStyle = `
:root {
  color-scheme: light dark;
  --paper: #fbfaf8; --card: #ffffff; --ink: #1f1d1a; --soft: #635d54; --line: #e3dfd7;
  --accent: #b8421f; --on-accent: #ffffff; --code: #f3f0ea; --shell: #23201c; --shell-ink: #f1ece3;
  --get: #0b6b5d; --post: #b8421f; --patch: #8a5a00; --delete: #b3173a; --head: #56507a;
  --sans: ui-sans-serif, system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', sans-serif;
  --mono: ui-monospace, SFMono-Regular, Menlo, Consolas, 'Liberation Mono', monospace;
}
@media (prefers-color-scheme: dark) {
  :root {
    --paper: #161412; --card: #1d1b18; --ink: #ece7de; --soft: #a9a195; --line: #35312b;
    --accent: #ff9a76; --on-accent: #231008; --code: #26231f; --shell: #0f0e0c; --shell-ink: #ece7de;
    --get: #5fd0bd; --post: #ff9a76; --patch: #e6b450; --delete: #ff8095; --head: #b9b1e6;
  }
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; }
body { margin: 0; background: var(--paper); color: var(--ink); font: 16px/1.6 var(--sans); }
a { color: var(--accent); text-underline-offset: 0.18em; text-decoration-thickness: 1px; }
a:hover { text-decoration-thickness: 2px; }
:focus-visible { outline: 3px solid var(--accent); outline-offset: 2px; border-radius: 4px; }
code, pre { font-family: var(--mono); font-size: 0.875em; }
.brand {
  display: flex; align-items: center; gap: 0.55rem; color: var(--ink); font-weight: 700;
  font-size: 1.15rem; letter-spacing: -0.01em; text-decoration: none;
}
.brand svg { color: var(--accent); }
h1, h2, h3, h4 { line-height: 1.25; letter-spacing: -0.012em; text-wrap: balance; }
h1 { font-size: clamp(1.9rem, 5vw, 2.75rem); margin: 0 0 1rem; letter-spacing: -0.025em; }
p { margin: 0 0 1rem; max-width: 44rem; }
footer {
  border-top: 1px solid var(--line); padding: 1.5rem clamp(1rem, 4vw, 3rem) 3rem;
  color: var(--soft); font-size: 0.9rem;
}
`
