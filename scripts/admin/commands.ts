import { scopes } from '../../worker/contract/people/api-key.ts'
import { videoStatuses } from '../../worker/contract/video/video-state.ts'
import { deliveryStatuses } from '../../worker/contract/webhooks/webhook-delivery.ts'

/** One option: a placeholder for its value and its meaning, both shown by --help. */
type Option = {
  value: string
  meaning: string
  required?: true
  kind?: 'number' | 'amount'
  /** The word that removes the value. */
  none?: string
}

export type Command = {
  summary: string
  options: Readonly<Record<string, Option>>
  /** The argument without a name, such as KEYID. */
  argument?: { name: string; field: string }
}

/** An option whose value is a number of days, or anything that is counted. */
function days(meaning: string) {
  return { value: 'DAYS', meaning, kind: 'number' } as const
}

function counted(meaning: string) {
  return { value: 'N', meaning, kind: 'number' } as const
}

function amount(meaning: string) {
  return { value: 'AMOUNT', meaning, kind: 'amount' } as const
}

/** All commands. Names and fields are those of the requests in worker/contract/people/admin.ts. */
export const commandGroups = {
  accounts: {
    create: {
      summary: 'Make an account, with its webhook secret',
      options: {
        name: { value: 'NAME', meaning: 'shown in lists' },
        'rate-limits': {
          value: '100/60,1000/3600',
          meaning:
            'requests in seconds, reading included, at most four windows; without it, the default plan',
        },
        'retain-sources-days': days(
          'how long sources are kept after the end of the job (default 7)',
        ),
        'retain-outputs-days': days('how long results are kept (default 30)'),
        'archive-after-days': {
          ...days('when ended videos leave the database for the bucket (default 90); none: never'),
          none: 'none',
        },
        weight: counted('turns at a free slot while an account of weight 1 has one (default 1)'),
        'max-running': counted('how many of its jobs run at once, at most (default: no such cap)'),
        budget: amount('what its work may cost in a calendar month (default: no limit)'),
      },
    },
    change: {
      summary: 'Change the plan of an account; what is not named stays as it is',
      argument: { name: 'ACCOUNT', field: 'accountId' },
      options: {
        name: { value: 'NAME', meaning: 'shown in lists' },
        'rate-limits': {
          value: '100/60,1000/3600',
          meaning: 'for all its keys; default: the default plan',
          none: 'default',
        },
        'retain-sources-days': days('how long sources of jobs that end from now on are kept'),
        'retain-outputs-days': days('how long results of jobs that end from now on are kept'),
        'archive-after-days': {
          ...days('when ended videos leave the database for the bucket; none: never'),
          none: 'none',
        },
        weight: counted('turns at a free slot while an account of weight 1 has one'),
        'max-running': {
          ...counted('how many of its jobs run at once, at most; none: no such cap'),
          none: 'none',
        },
        budget: {
          ...amount('what its work may cost in a calendar month; none: no limit'),
          none: 'none',
        },
      },
    },
    list: { summary: 'List all accounts', options: {} },
  },
  keys: {
    create: {
      summary: 'Issue an API key; it is shown this once',
      options: {
        account: { value: 'ACCOUNT', meaning: 'the account it belongs to', required: true },
        name: { value: 'NAME', meaning: 'shown in lists, such as the program that uses it' },
        scopes: {
          value: scopes.join(','),
          meaning: 'what it may do (default: everything)',
        },
        expires: { value: '2027-01-01', meaning: 'when it ends, UTC (default: never)' },
      },
    },
    list: {
      summary: 'List keys, without the keys themselves',
      options: { account: { value: 'ACCOUNT', meaning: 'of this account only' } },
    },
    revoke: {
      summary: 'End a key; it is refused from the next request on',
      options: {},
      argument: { name: 'KEYID', field: 'keyId' },
    },
  },
  jobs: {
    list: {
      summary: 'List jobs, the newest first',
      options: {
        status: { value: videoStatuses.join('|'), meaning: 'with this status only' },
        video: { value: 'VIDEOID', meaning: 'of this video only' },
        limit: { value: 'N', meaning: 'how many at most, up to 100', kind: 'number' },
      },
    },
    show: {
      summary: 'Show one job with all its attempts',
      options: {},
      argument: { name: 'JOBID|VIDEOID', field: 'jobId' },
    },
    replay: {
      summary: 'Dispatch a job that waits, or make the request of a failed or canceled one again',
      options: {},
      argument: { name: 'JOBID|VIDEOID', field: 'jobId' },
    },
  },
  webhooks: {
    list: {
      summary: 'List deliveries of webhooks, the newest first',
      options: {
        account: { value: 'ACCOUNT', meaning: 'of this account only' },
        status: { value: deliveryStatuses.join('|'), meaning: 'with this status only' },
        limit: { value: 'N', meaning: 'how many at most, up to 100', kind: 'number' },
      },
    },
    replay: {
      summary: 'Deliver a webhook again, by the whole schedule',
      options: {},
      argument: { name: 'DELIVERYID', field: 'deliveryId' },
    },
    'show-secret': {
      summary: 'Show what the webhooks of an account are signed with',
      options: {
        account: { value: 'ACCOUNT', meaning: 'whose webhooks', required: true },
      },
    },
    'rotate-secret': {
      summary: 'Exchange that secret; the old one signs beside the new one for 24 hours',
      options: {
        account: { value: 'ACCOUNT', meaning: 'whose webhooks', required: true },
      },
    },
  },
  people: {
    link: {
      summary: 'Make a link that signs somebody in without a password, once, within the hour',
      options: {
        account: { value: 'ACCOUNT', meaning: 'to which account', required: true },
        email: { value: 'ADDRESS', meaning: 'who of its people (default: its first owner)' },
      },
    },
  },
} as const satisfies Record<string, Record<string, Command>>

export const groupNames = Object.keys(commandGroups)

export function commandsOf(group: string): Readonly<Record<string, Command>> | undefined {
  const groups: Readonly<Record<string, Readonly<Record<string, Command>>>> = commandGroups
  return Object.hasOwn(groups, group) ? groups[group] : undefined
}
