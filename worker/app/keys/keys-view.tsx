import { scopes, type Scope } from '../../contract/people/api-key.ts'
import type { FieldFault } from '../../contract/answers/errors.ts'
import type { IssuedKey, KeyRecord } from '../../contract/people/key-record.ts'
import { exampleClipAt } from '../new-video/source-view.tsx'
import { firstCommand } from '../request-code.ts'
import { Button, ButtonLink } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field, faultOf } from '../design/field.tsx'
import { Alert, Notice } from '../design/notice.tsx'
import { RelativeTime } from '../design/values.tsx'
import { Badge } from '../design/status-badge.tsx'

/** The values entered for a new key, and what is wrong with them. */
export type KeyWish = {
  name: string
  scopes: readonly string[]
  end: string
  faults: readonly FieldFault[]
}

const scopeTexts: Record<Scope, string> = {
  'videos:read': 'Read videos, jobs, deliveries and usage',
  'videos:write': 'Create, change and delete videos; presets, webhooks and their secret',
  'keys:manage': 'Create and revoke keys',
}

export const keysStyle = `
.new-key { border-top: 1px solid var(--line); margin-top: var(--s5); padding-top: var(--s4); }
.scopes { border: 0; margin: 0 0 var(--s3); padding: 0; }
.scopes legend { font-weight: 500; padding: 0; margin-bottom: var(--s1); }
.scopes label { display: flex; gap: var(--s2); align-items: baseline; padding: var(--s1) 0; }
.scopes input { position: relative; top: 0.15rem; }
.scopes .fault { color: var(--bad); font-size: var(--small); }
.issued { margin-bottom: var(--s5); max-width: 52rem; }
.issued .code { margin: var(--s3) 0 0; }
`

type KeysProps = {
  keys: readonly KeyRecord[]
  wish: KeyWish
  issued: IssuedKey | undefined
  baseUrl: string
  now: number
}

export function KeysView({ keys, wish, issued, baseUrl, now }: KeysProps) {
  return (
    <>
      {issued && <Issued issued={issued} baseUrl={baseUrl} />}
      {keys.length === 0 ? (
        <p class="soft">No keys yet. A program needs one to use the API for this account.</p>
      ) : (
        <KeyTable keys={keys} now={now} />
      )}
      <NewKey wish={wish} now={now} />
      {keys
        .filter((key) => isGood(key, now))
        .map((key) => (
          <Dialog
            id={dialogOf(key)}
            title={`Revoke ${nameOf(key)}?`}
            confirm={<RevokeForm record={key} />}
          >
            <Consequences record={key} now={now} />
          </Dialog>
        ))}
    </>
  )
}

function Issued({ issued, baseUrl }: { issued: IssuedKey; baseUrl: string }) {
  const { apiKey } = issued
  const list = `curl ${baseUrl}/v1/videos \\\n  -H 'Authorization: Bearer ${apiKey}'`
  const first = firstCommand(exampleClipAt(baseUrl), baseUrl, apiKey)
  return (
    <section class="issued">
      <Notice tone="good" role="status">
        <p>
          <strong>{nameOf(issued)} has been created.</strong> Copy it now: it is not stored, so you
          cannot see it again.
        </p>
      </Notice>
      <CodeBlock label="API key" code={issued.apiKey} />
      {issued.scopes.includes('videos:write') && (
        <CodeBlock label="Makes an example clip vertical, with captions" code={first} shell />
      )}
      {issued.scopes.includes('videos:read') && (
        <CodeBlock label="Lists your videos" code={list} shell />
      )}
    </section>
  )
}

const columns = ['Name', 'Key', 'Scopes', 'Last used', 'Created', 'Expires', 'Action'] as const

function KeyTable({ keys, now }: { keys: readonly KeyRecord[]; now: number }) {
  return (
    <DataTable
      caption="API keys of this account"
      columns={columns}
      endsRight
      rows={keys.map((key) => [
        <span dir="auto">{key.name ?? <span class="soft">No name</span>}</span>,
        <code>{key.hint}</code>,
        key.scopes.map((scope) => (
          <>
            <code>{scope}</code>{' '}
          </>
        )),
        key.lastUsedAt ? <RelativeTime at={key.lastUsedAt} now={now} /> : 'Never',
        <RelativeTime at={key.createdAt} now={now} />,
        <End record={key} now={now} />,
        isGood(key, now) && (
          <form method="get" action={`/app/keys/${key.keyId}/revoke`}>
            <Button
              look="danger"
              size="small"
              dialog={dialogOf(key)}
              label={`Revoke ${nameOf(key)}`}
            >
              Revoke
            </Button>
          </form>
        ),
      ])}
    />
  )
}

function End({ record, now }: { record: KeyRecord; now: number }) {
  if (record.revokedAt) return <Badge tone="idle" word="Revoked" />
  if (record.expiresAt === null) return <>Never</>
  if (!isGood(record, now)) return <Badge tone="idle" word="Expired" />
  return <RelativeTime at={record.expiresAt} now={now} />
}

function NewKey({ wish, now }: { wish: KeyWish; now: number }) {
  const today = new Date(now).toISOString().slice(0, 10)
  const other = wish.faults.find(({ field }) => field === '')
  return (
    <section class="new-key" id="new-key">
      <h2>New key</h2>
      <Alert>{other?.message}</Alert>
      <form method="post" action="/app/keys">
        <Field
          label="Name"
          name="name"
          value={wish.name}
          error={faultOf(wish.faults, 'name')}
          maxlength={255}
          autocomplete="off"
          hint="What the key is for, such as the name of a program"
        />
        <ScopeBoxes wish={wish} />
        <Field
          label="Last day"
          name="expiresAt"
          type="date"
          value={wish.end}
          error={faultOf(wish.faults, 'expiresAt')}
          hint={`The last day on which the key works, in UTC; today is ${today}. Leave it empty for a key that does not expire`}
        />
        <Button look="primary">Create key</Button>
      </form>
    </section>
  )
}

function ScopeBoxes({ wish }: { wish: KeyWish }) {
  const fault = faultOf(wish.faults, 'scopes')
  return (
    <fieldset class="scopes">
      <legend>What it may do</legend>
      {scopes.map((scope) => (
        <label>
          <input
            type="checkbox"
            name="scopes"
            value={scope}
            checked={wish.scopes.includes(scope)}
          />
          <span>
            {scopeTexts[scope]} <code class="soft">{scope}</code>
          </span>
        </label>
      ))}
      {fault !== undefined && <p class="fault">{fault}</p>}
    </fieldset>
  )
}

/** The page that asks for confirmation where no script can open a dialog. */
export function RevokeView({ record, now }: { record: KeyRecord; now: number }) {
  return (
    <>
      <Consequences record={record} now={now} />
      <div class="row">
        <RevokeForm record={record} />
        <ButtonLink href="/app/keys">Keep it</ButtonLink>
      </div>
    </>
  )
}

function Consequences({ record, now }: { record: KeyRecord; now: number }) {
  return (
    <>
      <p>
        Every program that uses <code>{record.hint}</code> is refused from its next request
        {record.lastUsedAt ? (
          <>
            ; it was last used <RelativeTime at={record.lastUsedAt} now={now} />.
          </>
        ) : (
          '. It has never been used.'
        )}
      </p>
      <p>
        Videos that it started carry on, and links to files keep working. A revoked key cannot be
        restored.
      </p>
    </>
  )
}

function RevokeForm({ record }: { record: KeyRecord }) {
  return (
    <form method="post" action={`/app/keys/${record.keyId}/revoke`}>
      <Button look="danger">Revoke key</Button>
    </form>
  )
}

const dialogOf = ({ keyId }: KeyRecord) => `revoke-${keyId}`

export function nameOf({ name, hint }: Pick<KeyRecord, 'name' | 'hint'>): string {
  return name === null ? hint : `“${name}”`
}

function isGood({ revokedAt, expiresAt }: KeyRecord, now: number): boolean {
  return revokedAt === null && (expiresAt === null || Date.parse(expiresAt) > now)
}
