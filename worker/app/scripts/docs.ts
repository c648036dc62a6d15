import { rememberLanguage } from './docs/remember-language.ts'
import { searchDocs } from './docs/search-docs.ts'
import { copyOnClick } from './page/copy-on-click.ts'
import { make } from './page/make.ts'

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
