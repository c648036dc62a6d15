import { announce } from './announce.ts'

const shownMs = 1500

/** Whatever has `data-copy` copies that text when it is clicked, or the code that it stands above; and says so. */
export function copyOnClick(): void {
  document.addEventListener('click', (event) => {
    const source = event.target instanceof Element ? event.target.closest('[data-copy]') : null
    if (source instanceof HTMLElement) void copy(source, textOf(source))
  })
}

/** Written twice into the page, code would be most of it. */
function textOf(source: HTMLElement): string {
  const { copy: text = '' } = source.dataset
  return text === '' ? (source.closest('.code')?.querySelector('pre')?.textContent ?? '') : text
}

async function copy(source: HTMLElement, text: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(text)
  } catch {
    // Browsers refuse it on addresses without https, except for this machine's own.
    announce('This browser does not let the page copy. Select the text and copy it.')
    selectText(source)
    return
  }
  source.dataset['copied'] = ''
  announce('Copied')
  setTimeout(() => delete source.dataset['copied'], shownMs)
}

function selectText(source: HTMLElement): void {
  const shown = source.closest('.code')?.querySelector('pre') ?? source
  getSelection()?.selectAllChildren(shown)
}
