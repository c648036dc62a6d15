import { rememberLanguage } from './docs/remember-language.ts'
import { searchDocs } from './docs/search-docs.ts'
import { copyOnClick } from './page/copy-on-click.ts'
import { make } from './page/make.ts'

// The reference was once one page, at /docs and then at /docs/reference; old links to its parts still exist.
const { pathname, hash } = location
if (/^\/docs(\/reference)?$/.test(pathname) && hash !== '' && !document.querySelector(hash)) {
  location.replace(`/docs/reference/${hash.replace(/^#(schema-)?/, '')}`)
}

rememberLanguage()
copyCode()
copyOnClick()
searchDocs()

/** Gives each block of code a copy button. Pages without scripts have none, because it would do nothing. */
function copyCode(): void {
  for (const block of document.querySelectorAll<HTMLElement>('.code:not(.plain)')) {
    const code = block.querySelector('pre')?.textContent ?? ''
    const button = make('button', { type: 'button', className: 'copy', textContent: 'Copy' })
    button.dataset['copy'] = code
    block.append(button)
  }
}
