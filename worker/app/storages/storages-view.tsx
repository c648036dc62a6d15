import type { FieldFault } from '../../contract/answers/errors.ts'
import { defaultRegion, type StorageRecord } from '../../contract/storages/storage.ts'
import { Button } from '../design/button.tsx'
import { DataTable } from '../../reference/pages/data-table.tsx'
import { Dialog } from '../design/dialog.tsx'
import { Field, FieldFrame, faultOf } from '../design/field.tsx'
import { RelativeTime } from '../design/values.tsx'

/** The values entered for a storage, and what is wrong with them. The secret is never shown again. */
export type StorageWish = { readonly [Field in keyof StorageRecord]?: string | undefined } & {
  readonly faults: readonly FieldFault[]
}

export const storagesStyle = `
.storage { margin-top: var(--s5); max-width: 40rem; }
td form, .table .right form { display: inline; }
`

type StoragesProps = {
  storages: readonly StorageRecord[]
  wish: StorageWish
  now: number
}

export const doneTexts: Record<string, string> = {
  saved: 'Saved. An object was written, found, read and deleted.',
  deleted: 'Storage deleted. Nothing in the bucket has changed.',
}

export function StoragesView({ storages, wish, now }: StoragesProps) {
  return (
    <>
      <p>
        Buckets of your own at any service that speaks S3. A source can be{' '}
        <code>storage://name/key</code>, and results can be delivered to them.{' '}
        <a href="/docs/storages">How they are used</a>
      </p>
      <Storages storages={storages} now={now} />
      <StorageForm wish={wish} />
    </>
  )
}

const columns = ['Name', 'Bucket', 'Access key', 'Saved', 'Action'] as const

function Storages({ storages, now }: Pick<StoragesProps, 'storages' | 'now'>) {
  if (storages.length === 0) return <p class="soft">No storages yet.</p>
  return (
    <>
      <DataTable
        caption="Storages of this account"
        columns={columns}
        endsRight
        rows={storages.map((storage) => [
          <code>{storage.name}</code>,
          <>
            <code>{placeOf(storage)}</code>
            <div class="soft">{storage.endpoint}</div>
          </>,
          <code>{storage.accessKeyId}</code>,
          <RelativeTime at={storage.lastUpdatedAt} now={now} />,
          <Actions name={storage.name} />,
        ])}
      />
      {storages.map((storage) => (
        <DeleteDialog storage={storage} />
      ))}
    </>
  )
}

function placeOf({ bucket, prefix }: StorageRecord): string {
  return prefix === '' ? bucket : `${bucket}/${prefix}`
}

function Actions({ name }: { name: string }) {
  return (
    <form method="post" action="/app/storages">
      <input type="hidden" name="name" value={name} />
      <a
        class="button small"
        href={`/app/storages?change=${name}#storage`}
        aria-label={`Change ${name}`}
      >
        Change
      </a>{' '}
      <Button
        size="small"
        look="danger"
        name="change"
        value="delete"
        dialog={`delete-${name}`}
        label={`Delete ${name}`}
      >
        Delete
      </Button>
    </form>
  )
}

function DeleteDialog({ storage }: { storage: StorageRecord }) {
  return (
    <Dialog
      id={`delete-${storage.name}`}
      title="Delete this storage?"
      confirm={
        <form method="post" action="/app/storages">
          <input type="hidden" name="name" value={storage.name} />
          <Button look="danger" name="change" value="delete">
            Delete storage
          </Button>
        </form>
      }
    >
      <p>
        Nothing in <code>{placeOf(storage)}</code> changes. Videos that still wait to be fetched
        from it, and deliveries that still wait to be made, fail.
      </p>
    </Dialog>
  )
}

function StorageForm({ wish }: { wish: StorageWish }) {
  const { faults } = wish
  const line = (name: keyof StorageRecord, label: string, hint?: string) => (
    <Field
      {...{ label, name, ...(hint === undefined ? {} : { hint }) }}
      value={wish[name]}
      error={faultOf(faults, name === 'name' ? 'storageName' : name)}
      autocomplete="off"
      spellcheck={false}
    />
  )
  return (
    <form method="post" action="/app/storages" class="storage">
      <h2 id="storage">{wish.createdAt === undefined ? 'New storage' : `Change ${wish.name}`}</h2>
      {line('name', 'Name', 'Its name in storage:// addresses and destinations')}
      {line('endpoint', 'Endpoint', 'Such as https://s3.eu-central-1.amazonaws.com')}
      {line('bucket', 'Bucket')}
      {line('prefix', 'Prefix', 'A folder in the bucket; empty for all of it')}
      {line('region', 'Region', `${defaultRegion} when empty, which R2 and MinIO take`)}
      <Addressing chosen={wish.addressing} error={faultOf(faults, 'addressing')} />
      {line('accessKeyId', 'Access key ID')}
      <Field
        label="Secret access key"
        name="secretAccessKey"
        type="password"
        error={faultOf(faults, 'secretAccessKey')}
        autocomplete="off"
        hint="Kept encrypted and shown to nobody. Empty: the one that is kept, for the same endpoint and key"
      />
      <Button look="primary">Try and save</Button>
    </form>
  )
}

function Addressing({ chosen, error }: { chosen: string | undefined; error: string | undefined }) {
  return (
    <FieldFrame
      label="Addressing"
      name="addressing"
      error={error}
      hint="Where a request names the bucket"
      control={(props) => (
        <select class="input" {...props}>
          <option value="path" selected={chosen !== 'host'}>
            In the path
          </option>
          <option value="host" selected={chosen === 'host'}>
            Before the host
          </option>
        </select>
      )}
    />
  )
}
