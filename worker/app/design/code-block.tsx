import { Button } from './button.tsx'

/** Code that is to be read and copied. `shell`: commands for a terminal. */
export function CodeBlock({
  label,
  code,
  shell = false,
  id,
}: {
  label: string
  code: string
  shell?: boolean
  id?: string
}) {
  return (
    <figure class={shell ? 'code shell' : 'code'}>
      <figcaption>
        <span>{label}</span>
        <Button size="small" look="quiet" copy="" label={`Copy ${label}`}>
          Copy
        </Button>
      </figcaption>
      <pre id={id} tabindex={0} aria-label={label} role="group">
        <code>{code}</code>
      </pre>
    </figure>
  )
}
