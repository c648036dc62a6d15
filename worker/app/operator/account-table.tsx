import type { ListedAccount } from '../../store/operator-lists.ts'
import { DataTable } from '../design/data-table.tsx'
import { CopyableId } from '../design/copyable-id.tsx'
import { formatBytes } from '../design/format-bytes.ts'

const columns = [
  { label: 'Account' },
  { label: 'Id' },
  { label: 'Turns' },
  { label: 'At once' },
  { label: 'Requests' },
  { label: 'Waiting' },
  { label: 'Running' },
  { label: 'Ready' },
  { label: 'Kept', align: 'right' },
] as const

/** The newest accounts with their plans; commands change a plan. */
export function AccountTable({ accounts }: { accounts: readonly ListedAccount[] }) {
  return (
    <>
      <DataTable
        caption="The newest accounts and their plans"
        columns={columns}
        rows={accounts.map((account) => [
          <span dir="auto">{account.name ?? <span class="soft">No name</span>}</span>,
          <CopyableId id={account.id} />,
          account.weight,
          account.maxRunning ?? 'no limit',
          account.rateLimits ?? 'as usual',
          account.queued,
          account.running,
          account.succeeded.toLocaleString('en-US'),
          formatBytes(account.keptBytes),
        ])}
      />
      <p class="soft">
        {accounts.length > 1 && `The newest ${accounts.length}. `}
        <code>npm run admin -- accounts list</code> lists all accounts;{' '}
        <code>npm run admin -- accounts change</code> changes a plan.
      </p>
    </>
  )
}
