import {
  adminAnswers,
  adminPath,
  type AdminAnswer,
  type AdminCommand,
  type AdminRequest,
} from '../../../worker/contract/people/admin.ts'
import { hashApiKey, scopes, type Scope } from '../../../worker/contract/people/api-key.ts'
import { signatureHeader, signMessage } from '../../../worker/contract/job/signed-message.ts'
import { keyGate, type KeyGate } from '../../../worker/durable/key-gate.ts'
import { bindings } from './bindings.ts'
import { Client, send, type Answer } from './client.ts'

type Request<Command extends AdminCommand> = Extract<AdminRequest, { command: Command }>

/** Sends a signed command of the operator and returns the raw answer. */
export async function sendAdmin(request: unknown): Promise<Answer> {
  const nonce = crypto.randomUUID()
  const body =
    typeof request === 'string' ? request : JSON.stringify({ nonce, ...(request as object) })
  return send(adminPath, {
    method: 'POST',
    body,
    headers: {
      [signatureHeader]: await signMessage(bindings.SPOOL_ADMIN_SECRET, body, Date.now()),
    },
  })
}

/** Sends a command that must succeed. */
export async function administer<Command extends AdminCommand>(
  request: Request<Command>,
): Promise<AdminAnswer<Command>> {
  const answer = await sendAdmin(request)
  if (answer.status !== 200) throw new Error(`${request.command}: ${answer.text}`)
  return adminAnswers[request.command].parse(answer.json) as AdminAnswer<Command>
}

export async function anAccount(rateLimits?: string): Promise<string> {
  const account = await administer<'accounts.create'>({
    command: 'accounts.create',
    ...(rateLimits === undefined ? {} : { rateLimits }),
  })
  return account.accountId
}

type KeyWishes = {
  accountId?: string
  rateLimits?: string
  scopes?: Scope[]
  expiresAt?: string
}

/** A client with its own key, and its own account unless one is named. Its rate limits are out of the way. */
export async function aClient(wishes: KeyWishes = {}): Promise<Client> {
  const issued = await administer<'keys.create'>({
    command: 'keys.create',
    accountId: wishes.accountId ?? (await anAccount(wishes.rateLimits ?? '100000/60')),
    scopes: wishes.scopes ?? [...scopes],
    ...(wishes.expiresAt === undefined ? {} : { expiresAt: wishes.expiresAt }),
  })
  return new Client(issued)
}

export async function revoke(client: Client): Promise<void> {
  await administer<'keys.revoke'>({ command: 'keys.revoke', keyId: client.keyId })
}

export async function gateOf(apiKey: string): Promise<DurableObjectStub<KeyGate>> {
  return keyGate(bindings, await hashApiKey(apiKey))
}
