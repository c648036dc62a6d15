import type { WebhookSecretRecord } from '../../contract/webhooks/webhook-delivery.ts'
import { Button, ButtonLink } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { Dialog } from '../design/dialog.tsx'
import { RelativeTime } from '../design/values.tsx'

type SecretProps = { secret: WebhookSecretRecord | undefined; isOwner: boolean; now: number }

/** The secret that signs the account's webhooks: on the page only after an owner has asked for it. */
export function Secret({ secret, isOwner, now }: SecretProps) {
  return (
    <section aria-labelledby="secret">
      <h2 id="secret">Secret</h2>
      <p>
        Signs every webhook, so that you can tell it from a forged one.{' '}
        <a href="/docs/webhooks#checking-the-signature">The guide</a> says how to check it.
      </p>
      {isOwner ? (
        <OwnersSecret secret={secret} now={now} />
      ) : (
        <p class="soft">Owners of the account can see and rotate it.</p>
      )}
    </section>
  )
}

function OwnersSecret({ secret, now }: Pick<SecretProps, 'secret' | 'now'>) {
  return (
    <>
      {secret ? (
        <Shown secret={secret} now={now} />
      ) : (
        <p>
          <code>whsec_••••••••••••</code>
        </p>
      )}
      <div class="row">
        {!secret && (
          <form method="get" action="/app/webhooks">
            <Button name="secret" value="shown">
              Show secret
            </Button>
          </form>
        )}
        <form method="get" action="/app/webhooks/rotate-secret">
          <Button dialog="rotate-secret">Rotate secret</Button>
        </form>
      </div>
      <Dialog id="rotate-secret" title="Rotate the secret?" confirm={<RotateForm />}>
        <RotationConsequences />
      </Dialog>
    </>
  )
}

function Shown({ secret, now }: { secret: WebhookSecretRecord; now: number }) {
  return (
    <>
      <CodeBlock label="Secret" code={secret.secret} />
      {secret.previousSecret !== null && secret.previousExpiresAt !== null && (
        <>
          <CodeBlock label="Previous secret" code={secret.previousSecret} />
          <p class="soft">
            The previous secret still signs too; it expires{' '}
            <RelativeTime at={secret.previousExpiresAt} now={now} />.
          </p>
        </>
      )}
    </>
  )
}

/** The page that asks for confirmation where no script can open a dialog. */
export function RotationView() {
  return (
    <>
      <RotationConsequences />
      <div class="row">
        <RotateForm />
        <ButtonLink href="/app/webhooks">Keep it</ButtonLink>
      </div>
    </>
  )
}

function RotationConsequences() {
  return (
    <p>
      You get a new secret. For 24 hours, every webhook is signed with both, so that you can update
      your receivers. If you rotate again within that time, the oldest secret stops working at once.
    </p>
  )
}

function RotateForm() {
  return (
    <form method="post" action="/app/webhooks/rotate-secret">
      <Button look="danger">Rotate secret</Button>
    </form>
  )
}
