import { Button } from '../design/button.tsx'
import { formatCount } from '../design/formats.ts'
import { CopyableId, FactList } from '../design/values.tsx'
import { Field } from '../design/field.tsx'
import { Alert } from '../design/notice.tsx'
import type { SettingsView } from './read-settings-page.ts'

/** The name of the account, how long it keeps files, and a way to the person's other accounts. */
export function AccountSection({ view }: { view: SettingsView }) {
  const { member, account, sent } = view
  const mine = sent?.form === 'account' ? sent : undefined
  return (
    <section aria-labelledby="account">
      <h2 id="account">Account</h2>
      <FactList
        facts={[
          ['Id', <CopyableId id={account.id} />],
          ['Your role', member.role],
          ['Sources', `kept for ${days(account.retainSourcesDays)} after the video is finished`],
          ['Results', `kept for ${days(account.retainOutputsDays)}`],
          ['Videos', sayArchived(account.archiveAfterDays)],
        ]}
      />
      {member.role === 'owner' && (
        <form method="post" action="/app/settings/account">
          <Alert>{mine?.alert}</Alert>
          <Field
            label="Account name"
            name="name"
            id="account-name"
            maxlength={255}
            required
            value={mine?.fields?.['name'] ?? account.name ?? ''}
            error={mine?.faults?.['name']}
          />
          <Button>Rename account</Button>
        </form>
      )}
      {member.role === 'owner' && <ArchiveForm view={view} />}
      <OtherAccounts view={view} />
    </section>
  )
}

function sayArchived(afterDays: number | null): string {
  return afterDays === null
    ? 'never archived'
    : `archived ${days(afterDays)} after they are finished, once their files are gone`
}

const days = (count: number) => formatCount(count, 'day')

function OtherAccounts({ view: { accounts, account } }: { view: SettingsView }) {
  const others = accounts.filter(({ accountId }) => accountId !== account.id)
  if (others.length === 0) return null
  return (
    <>
      <h3>Your other accounts</h3>
      {others.map(({ accountId, name }) => (
        <form method="post" action="/app/settings/switch">
          <input type="hidden" name="accountId" value={accountId} />
          <Button>Go to {name ?? accountId}</Button>
        </form>
      ))}
    </>
  )
}

/** The number of days after which videos of the account move from its lists to the archive. */
function ArchiveForm({ view: { account, sent } }: { view: SettingsView }) {
  const mine = sent?.form === 'archive' ? sent : undefined
  const { archiveAfterDays } = account
  return (
    <form method="post" action="/app/settings/archive">
      <Alert>{mine?.alert}</Alert>
      <Field
        label="Archive videos after (days)"
        name="archiveAfterDays"
        id="archive-after-days"
        type="number"
        value={mine?.fields?.['archiveAfterDays'] ?? archiveAfterDays?.toString() ?? ''}
        error={mine?.faults?.['archiveAfterDays']}
        hint="Leave it empty to archive nothing. An archived video keeps its address and its record, but is listed under Archived only. Videos are not archived while their files are kept."
      />
      <Button>Save</Button>
    </form>
  )
}
