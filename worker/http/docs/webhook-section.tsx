import type { Document } from '../openapi/openapi-types.ts'
import { Table } from './field-table.tsx'
import { bodyOf } from './operation-section.tsx'

export function WebhookSection({ document }: { document: Document }) {
  const events = Object.entries(document.webhooks).flatMap(([type, { post }]) =>
    post ? [{ type, post, media: bodyOf(document, post) }] : [],
  )
  return (
    <section aria-labelledby="webhooks">
      <h2 id="webhooks">Webhooks</h2>
      <p>
        A request with <code>webhookUrl</code> is to be told when its video has reached its end: by
        a POST with a <a href="#schema-WebhookEvent">WebhookEvent</a> as its body. This version
        keeps the event and does not send it yet; the record says so in <code>warnings</code>.
      </p>
      <Table
        caption="Webhooks"
        columns={['Type', 'When']}
        rows={events.map(({ type, post }) => [<code>{type}</code>, post.summary])}
      />
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
