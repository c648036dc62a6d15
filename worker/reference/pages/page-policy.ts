/** The one style sheet of a page, as its policy names it. */
export async function styleHash(style: string): Promise<string> {
  let hash = hashes.get(style)
  if (hash === undefined) {
    const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(style))
    hash = btoa(String.fromCharCode(...new Uint8Array(digest)))
    hashes.set(style, hash)
  }
  return `'sha256-${hash}'`
}

/** There are about as many styles as kinds of pages. */
const hashes = new Map<string, string>()

/** Lets a page load and run nothing: only its one style, known by its hash, and the icon inside the page. */
export async function pagePolicy(style: string): Promise<string> {
  return policyWith(style, 'img-src data:')
}

/** Also lets a page run the service's own scripts, which may ask the service, and show its own pictures. */
export async function docsPolicy(style: string): Promise<string> {
  return policyWith(style, "script-src 'self'", "connect-src 'self'", "img-src 'self' data:")
}

async function policyWith(style: string, ...sources: readonly string[]): Promise<string> {
  const styled = ["default-src 'none'", `style-src ${await styleHash(style)}`]
  const closed = ["base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'"]
  return [...styled, ...sources, ...closed].join('; ')
}

/** A page, and the Content-Security-Policy that lets a browser show it. */
export type SafePage = { html: string; policy: string }
