import { describe, expect, it } from 'vitest'
import { scopes } from '../../../worker/contract/people/api-key.ts'
import { parseArguments } from '../../../scripts/admin/parse-arguments.ts'

const nowMs = Date.parse('2026-11-21T10:00:00Z')
const parse = (line: string) => parseArguments(line === '' ? [] : line.split(' '), nowMs)

describe('parseArguments', () => {
  it.each([
    ['accounts create', { command: 'accounts.create' }],
    [
      'accounts create --name A --rate-limits 5/1 --retain-sources-days 1 --retain-outputs-days=2',
      {
        command: 'accounts.create',
        name: 'A',
        rateLimits: '5/1',
        retainSourcesDays: 1,
        retainOutputsDays: 2,
      },
    ],
    [
      'accounts create --weight 3 --max-running 2',
      { command: 'accounts.create', weight: 3, maxRunning: 2 },
    ],
    [
      'accounts change a_1 --weight 3 --max-running none --rate-limits default',
      {
        command: 'accounts.change',
        accountId: 'a_1',
        weight: 3,
        maxRunning: null,
        rateLimits: null,
      },
    ],
    ['accounts list', { command: 'accounts.list' }],
    [
      'keys create --account a_1',
      { command: 'keys.create', accountId: 'a_1', scopes: [...scopes] },
    ],
    [
      'keys create --account a_1 --scopes videos:read --expires 2027-01-01',
      {
        command: 'keys.create',
        accountId: 'a_1',
        scopes: ['videos:read'],
        expiresAt: '2027-01-01T00:00:00.000Z',
      },
    ],
    ['keys list', { command: 'keys.list' }],
    ['keys list --account a_1', { command: 'keys.list', accountId: 'a_1' }],
    ['keys revoke k_1', { command: 'keys.revoke', keyId: 'k_1' }],
    ['jobs list --status failed --limit 5', { command: 'jobs.list', status: 'failed', limit: 5 }],
    ['jobs show j_1', { command: 'jobs.show', jobId: 'j_1' }],
    ['jobs show v_3kTMd92L', { command: 'jobs.show', jobId: 'v_3kTMd92L' }],
    ['jobs list --video v_3kTMd92L', { command: 'jobs.list', videoId: 'v_3kTMd92L' }],
  ])('reads %j', (line, request) => {
    expect(parse(line)).toEqual({ outcome: 'call', request, json: false, url: undefined })
  })

  it('reads --json and --url with every command', () => {
    expect(parse('accounts list --json --url https://a.example')).toMatchObject({
      json: true,
      url: 'https://a.example',
    })
  })

  it('reads a time of another zone as UTC', () => {
    const line = 'keys create --account a_1 --expires 2027-01-01T01:00:00+01:00'
    expect(parse(line)).toMatchObject({ request: { expiresAt: '2027-01-01T00:00:00.000Z' } })
  })

  it.each([
    ['keyz list', 'Unknown command keyz. Did you mean keys?'],
    ['keys rvoke k_1', 'Unknown command keys rvoke. Did you mean revoke?'],
    ['toString', 'Unknown command toString.'],
    ['keys constructor', 'Unknown command keys constructor.'],
    ['keys list --acount a_1', 'Unknown option --acount. Did you mean --account?'],
    ['keys list --colour', 'Unknown option --colour.'],
    ['keys list extra', 'Unexpected argument extra.'],
    ['keys revoke', 'KEYID is missing.'],
    ['keys revoke k_1 k_2', 'Unexpected argument k_2.'],
    ['keys revoke a_1', 'KEYID: Must be k_ and letters or digits'],
    ['keys create', '--account is missing.'],
    ['keys create --account', '--account needs a value.'],
    ['keys create --account a_1 --scopes videos:all', '--scopes: '],
    ['keys create --account a_1 --expires tomorrow', '--expires: Must be a date'],
    ['keys create --account a_1 --expires 2027-02-30', '--expires: Must be a date'],
    ['keys create --account a_1 --expires 2026-11-21', '--expires: Must be in the future'],
    ['accounts change a_1', 'Name at least one thing to change'],
    ['accounts change a_1 --weight 0', '--weight: '],
    ['accounts change a_1 --max-running some', '--max-running: Must be a whole number'],
    ['accounts change --weight 2', 'ACCOUNT is missing.'],
    ['accounts create --rate-limits 5', '--rate-limits: "5" is not a window'],
    ['accounts create --retain-sources-days soon', '--retain-sources-days: Must be a whole number'],
    ['jobs list --limit 101', '--limit: '],
    ['jobs list --status done', '--status: '],
  ])('refuses %j', (line, message) => {
    const misuse = { exitCode: 2, message: expect.stringContaining(message) as string }
    expect(() => parse(line)).toThrow(expect.objectContaining(misuse))
  })

  it.each(['', '--help', '-h', 'help'])('explains all commands with %j', (line) => {
    expect(parse(line)).toMatchObject({
      outcome: 'help',
      text: expect.stringMatching(/accounts create[^]*keys revoke[^]*jobs show/) as string,
    })
  })

  it.each(['keys', 'keys --help'])('explains one group with %j', (line) => {
    const wish = parse(line)
    expect(wish).toMatchObject({ text: expect.stringContaining('keys revoke') as string })
    expect(wish).not.toMatchObject({ text: expect.stringContaining('accounts') as string })
  })

  it('explains one command, also when the rest is not complete', () => {
    expect(parse('keys create --help')).toMatchObject({
      text: expect.stringContaining(
        'keys create --account ACCOUNT [--name NAME] [--scopes',
      ) as string,
    })
  })
})
