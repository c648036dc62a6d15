/** Paragraphs, `code` and line breaks: as much of Markdown as the description uses. */
export function Prose({ text }: { text: string }) {
  return (
    <>
      {text.split('\n\n').map((paragraph) => (
        <p>
          <InlineText text={paragraph} />
        </p>
      ))}
    </>
  )
}

export function InlineText({ text }: { text: string }) {
  return <>{text.split('`').map((part, i) => (i % 2 === 1 ? <code>{part}</code> : part))}</>
}
