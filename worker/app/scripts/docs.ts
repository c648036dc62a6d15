import { copyCode } from './docs/copy-code.ts'
import { rememberLanguage } from './docs/remember-language.ts'
import { searchDocs } from './docs/search-docs.ts'
import { copyOnClick } from './page/copy-on-click.ts'

// The reference stood at /docs before the guides, and links to its parts may be out there.
if (
  location.pathname === '/docs' &&
  location.hash !== '' &&
  !document.querySelector(location.hash)
) {
  location.replace(`/docs/reference${location.hash}`)
}

rememberLanguage()
copyCode()
copyOnClick()
searchDocs()
