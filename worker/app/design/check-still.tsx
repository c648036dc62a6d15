/** The picture of a place in a result at which a check found something; nothing if there is none. */
export function CheckStill({ name, url }: { name: string; url: string | undefined }) {
  if (url === undefined) return null
  return (
    <a class="evidence" href={url}>
      <img src={url} alt={`What the check of ${name} found`} width="160" loading="lazy" />
    </a>
  )
}
