import type { Child } from 'hono/jsx'

type HeadProps = { title: string; description?: string; css: string; children?: Child }

const reel =
  'M16 1a15 15 0 1 0 0 30 15 15 0 0 0 0-30zm0 4a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm-7 7a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm14 0a4 4 0 1 1 0 8 4 4 0 0 1 0-8zm-7 7a4 4 0 1 1 0 8 4 4 0 0 1 0-8z'

// The icon has the colour of the page's links.
const icon = `data:image/svg+xml,%3Csvg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 32 32'%3E%3Cpath fill='%23b8421f' fill-rule='evenodd' d='${reel}'/%3E%3C/svg%3E`

export function PageHead({ title, description, css, children }: HeadProps) {
  return (
    <head>
      <meta charset="utf-8" />
      <meta name="viewport" content="width=device-width, initial-scale=1" />
      <meta name="color-scheme" content="light dark" />
      <title>{title}</title>
      {description && <meta name="description" content={description} />}
      <link rel="icon" href={icon} />
      <style dangerouslySetInnerHTML={{ __html: css }} />
      {children}
    </head>
  )
}

export function Brand({ href }: { href: string }) {
  return (
    <a class="brand" href={href}>
      <svg viewBox="0 0 32 32" width="28" height="28" aria-hidden="true">
        <path fill="currentColor" fill-rule="evenodd" d={reel} />
      </svg>
      Spool
    </a>
  )
}
