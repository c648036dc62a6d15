import { describe, expect, it } from 'vitest'
import { bindings } from '../../support/worker/bindings.ts'
import { advanceSeconds, stopTheClock } from '../../support/worker/clock.ts'
import {
  anEmail,
  aPerson,
  password,
  signIn,
  standBeforeSignIn,
  Visitor,
} from '../../support/worker/dashboard/visitor.ts'

stopTheClock()
standBeforeSignIn()

const invitations = '/app/settings/invitations'

/** Invites, and returns the path of the link that the owner is shown. */
async function invite(owner: Visitor, email: string, role = 'member'): Promise<string> {
  const answer = await owner.submit(invitations, { email, role })
  expect(answer.status, answer.text).toBe(200)
  return /\/app\/invitations\/\w{43}/.exec(answer.text)?.[0] ?? ''
}

const rolesOf = async (accountId: string) => {
  const { results } = await bindings.DB.prepare(
    'SELECT role FROM members WHERE account_id = ? ORDER BY role DESC',
  )
    .bind(accountId)
    .all<{ role: string }>()
  return results.map(({ role }) => role)
}

describe('an invitation', () => {
  it('lets somebody new join the account, also where only the invited may sign up', async () => {
    const owner = await aPerson()
    const email = anEmail()
    const link = await invite(owner, email)
    const visitor = new Visitor({ SIGN_UP: 'invited' })
    expect((await visitor.get(link)).text).toContain(`value="${email}"`)
    const fields = { email: 'somebody@else.example', password, invitation: link.slice(17) }
    const answer = await visitor.submit('/app/sign-up', fields)
    expect([answer.status, answer.headers.get('Location')]).toEqual([303, '/app/welcome'])
    expect((await visitor.get('/app/settings')).text).toContain(owner.accountId)
    expect(await rolesOf(owner.accountId)).toEqual(['owner', 'member'])
    expect((await signIn(email)).answer.status).toBe(303)
    expect((await new Visitor().get(link)).status).toBe(404)
  })

  it('lets somebody join who has an account, who can then go between the two', async () => {
    const [owner, person] = [await aPerson(), await aPerson()]
    const link = await invite(owner, person.email, 'owner')
    expect((await person.get(link)).text).toContain('You join as owner')
    expect((await person.submit(link)).status).toBe(303)
    expect((await person.get('/app/settings')).text).toContain(owner.accountId)
    expect(await rolesOf(owner.accountId)).toEqual(['owner', 'owner'])
    const back = { accountId: person.accountId }
    expect((await person.submit('/app/settings/switch', back)).status).toBe(303)
    expect((await person.get('/app/settings')).text).toContain(person.accountId)
  })

  it('works once', async () => {
    const owner = await aPerson()
    const link = await invite(owner, anEmail())
    const people = [await aPerson(), await aPerson()]
    const answers = await Promise.all(people.map((person) => person.submit(link)))
    expect(answers.map(({ status }) => status).toSorted()).toEqual([303, 404])
    expect(await rolesOf(owner.accountId)).toHaveLength(2)
  })

  it('works for a week, and not after it is withdrawn or replaced', async () => {
    const owner = await aPerson()
    const email = anEmail()
    const replaced = await invite(owner, email)
    const link = await invite(owner, email)
    expect((await new Visitor().get(replaced)).status).toBe(404)
    expect((await new Visitor().get(link)).status).toBe(200)
    const { text } = await owner.get('/app/settings')
    const [, invitationId = ''] = /name="invitationId" value="(\w+)"/.exec(text) ?? []
    const stranger = await aPerson()
    await stranger.submit(`${invitations}/withdraw`, { invitationId })
    expect((await new Visitor().get(link)).status).toBe(200)
    await owner.submit(`${invitations}/withdraw`, { invitationId })
    expect((await new Visitor().get(link)).status).toBe(404)
    const late = await invite(owner, email)
    advanceSeconds(7 * 86_400)
    expect((await new Visitor().get(late)).status).toBe(404)
  })

  it('does not let a thief of the link into the account of the invited person', async () => {
    const [owner, person] = [await aPerson(), await aPerson()]
    const link = await invite(owner, person.email)
    const thief = new Visitor()
    await thief.submit('/app/sign-up', {
      email: person.email,
      password: 'a guess',
      invitation: link.slice(17),
    })
    expect((await thief.get('/app/settings')).status).toBe(303)
    expect(await rolesOf(owner.accountId)).toEqual(['owner'])
  })

  it('is not made for somebody who belongs to the account', async () => {
    const owner = await aPerson()
    const answer = await owner.submit(invitations, { email: owner.email, role: 'member' })
    expect(answer.status).toBe(409)
  })

  it('makes nobody a member where nobody may sign up, but who has an account joins', async () => {
    const owner = await aPerson()
    const link = await invite(owner, anEmail())
    const visitor = new Visitor({ SIGN_UP: 'closed' })
    const fields = { email: anEmail(), password, invitation: link.slice(17) }
    expect((await visitor.submit('/app/sign-up', fields)).status).toBe(403)
    expect((await (await aPerson()).submit(link)).status).toBe(303)
  })
})
