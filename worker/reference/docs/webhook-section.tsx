import { addressOfReference } from '../guides/guide-list.ts'
import type { Document, Operation } from '../openapi/json-schemas.ts'
import { Table, InlineText } from './field-table.tsx'
import { bodyOf } from './operation-section.tsx'

export function WebhookSection({ document }: { document: Document }) {
  const events = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
    post ? [{ type, post, media: bodyOf(document, post) }] : [],
  )
  return (
    <section aria-labelledby="webhooks">
      <h1 id="webhooks">Webhooks</h1>
      <p>
        When a video with a <code>webhookUrl</code> succeeds, fails or is canceled, the service
        sends that URL a signed POST with a{' '}
        <a href={addressOfReference('WebhookEvent')}>WebhookEvent</a> as its body, and repeats it
        until the answer is a 2xx. <a href="/docs/webhooks">The guide</a> has the schedule, and how
        to check the signature.
      </p>
      <Table
        caption="Webhooks"
        columns={['Type', 'When']}
        rows={events.map(({ type, post }) => [<code>{type}</code>, post.summary])}
      />
      {events.slice(0, 1).map(({ post }) => (
        <WebhookHeaders of={post} />
      ))}
      {events.map(({ media }) =>
        Object.values(media?.examples ?? {}).map(({ summary, value }) => (
          <details>
            <summary>
              <span class="of">Example</span> {summary}
            </summary>
            <pre>
              <code>{JSON.stringify(value, null, 2)}</code>
            </pre>
          </details>
        )),
      )}
    </section>
  )
}

/** The headers are the same for every event. */
function WebhookHeaders({ of: { parameters = [] } }: { of: Operation }) {
  return (
    <Table
      caption="Headers of a webhook"
      columns={['Name', 'Meaning']}
      rows={parameters.map(({ name, description }) => [
        <code>{name}</code>,
        <InlineText text={description ?? ''} />,
      ])}
    />
  )
}
