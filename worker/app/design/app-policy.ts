import { styleHash } from '../../reference/pages/page-policy.ts'

type Wishes = {
  style: string
  /** The origin that serves files, if it may be another one than that of the page. */
  storage: string
  /** Further origins that scripts send to, such as those of direct uploads. */
  connect?: readonly string[]
}

/**
 * Lets a page run the service's own scripts, send its forms to the service, and show files of the storage. Nothing comes
 * from elsewhere, nothing is written into the page as script or style but its one style sheet, and no other page can
 * hold it in a frame.
 */
export async function appPolicy({ style, storage, connect = [] }: Wishes): Promise<string> {
  const { origin } = new URL(storage)
  return [
    "default-src 'none'",
    `style-src ${await styleHash(style)}`,
    "script-src 'self'",
    ["connect-src 'self'", ...connect].join(' '),
    `img-src 'self' data: blob: ${origin}`,
    `media-src 'self' blob: ${origin}`,
    "base-uri 'none'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ].join('; ')
}
