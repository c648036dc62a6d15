import { copyCode } from './docs/copy-code.ts'
import { rememberLanguage } from './docs/remember-language.ts'
import { searchDocs } from './docs/search-docs.ts'
import { copyOnClick } from './page/copy-on-click.ts'

// The reference was one page, first at /docs and then at /docs/reference, and links to its parts may be out there.
const { pathname, hash } = location
if (/^\/docs(\/reference)?$/.test(pathname) && hash !== '' && !document.querySelector(hash)) {
  location.replace(`/docs/reference/${hash.replace(/^#(schema-)?/, '')}`)
}

rememberLanguage()
copyCode()
copyOnClick()
searchDocs()
