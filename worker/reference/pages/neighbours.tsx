type Link = { title: string; href: string } | undefined

/** Readers who go through the pages in order need not look for the next one. */
export function Neighbours({ former, next }: { former: Link; next: Link }) {
  return (
    <nav class="neighbours" aria-label="Before and after">
      {former && (
        <a href={former.href} rel="prev">
          ← {former.title}
        </a>
      )}
      {next && (
        <a href={next.href} rel="next">
          {next.title} →
        </a>
      )}
    </nav>
  )
}
