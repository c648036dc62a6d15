import { errorTable } from '../../contract/answers/errors.ts'
import { addressOfReference } from '../guides/guide-list.ts'
import type { Document } from '../openapi/openapi-types.ts'
import { Table } from './field-table.tsx'
import { examplesOf } from './operation-section.tsx'

/** What every refusal looks like. */
export function Errors({ document }: { document: Document }) {
  const shared = Object.values(document.components.responses).flatMap((response) =>
    examplesOf(response).map((value) => ({ when: response.description, value })),
  )
  return (
    <section aria-labelledby="errors">
      <h1 id="errors">Errors</h1>
      <p>
        Every error is an <a href={addressOfReference('Error')}>Error</a> with one of these in{' '}
        <code>error</code>.
      </p>
      <Table
        caption="Errors"
        columns={['Error', 'Status', 'Meaning']}
        rows={Object.entries(errorTable).map(([code, { status, text }]) => [
          <code>{code}</code>,
          <strong class={`status s${Math.floor(status / 100)}`}>{status}</strong>,
          text,
        ])}
      />
      <h2>Refusals that are the same everywhere</h2>
      {shared.map(({ when, value }) => (
        <>
          <p class="when">{when}</p>
          <pre>
            <code>{JSON.stringify(value, null, 2)}</code>
          </pre>
        </>
      ))}
    </section>
  )
}
