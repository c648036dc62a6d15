export const home = '/app/videos'

/**
 * Where to go after signing in: always an address of the dashboard, whatever the link says. It is read as a browser reads it,
 * which takes `/\evil.example` and `/app/..//evil.example` for another host.
 */
export function safeNext(text: string | undefined): string {
  if (text === undefined || !text.startsWith('/') || !URL.canParse(text, here)) return home
  const { origin, pathname, search } = new URL(text, here)
  const isInside = pathname.startsWith('/app/') && !pathname.includes('//')
  // Addresses of the API are not pages.
  if (origin !== here || !isInside || pathname.startsWith('/app/api/')) return home
  return pathname + search
}

const here = 'https://dashboard.invalid'
