import { Button } from '../design/button.tsx'
import { CodeBlock } from '../design/code-block.tsx'
import { Tabs } from '../design/tabs.tsx'
import type { Choices } from './request/build-request.ts'
import { planOf } from './request/plan-of.ts'
import { asCurl, asJson, asTypeScript } from '../request-code.ts'

type RequestProps = { request: Choices; full: Choices; baseUrl: string; clip: string | undefined }

/** The request that the form makes: what it would do, and three ways to write it, the first of which can be edited. */
export function RequestView({ request, full, baseUrl, clip }: RequestProps) {
  return (
    <section class="request" aria-label="Request" data-request>
      <Tabs
        label="The request as"
        tabs={[
          { id: 'plan', label: 'Plan', content: <Plan full={full} clip={clip} /> },
          { id: 'json', label: 'JSON', content: <JsonEditor text={asJson(request)} /> },
          {
            id: 'curl',
            label: 'curl',
            content: <CodeBlock label="curl" code={asCurl(request, baseUrl)} shell />,
          },
          {
            id: 'typescript',
            label: 'TypeScript',
            content: <CodeBlock label="TypeScript" code={asTypeScript(request, baseUrl)} />,
          },
        ]}
      />
    </section>
  )
}

function Plan({ full, clip }: Pick<RequestProps, 'full' | 'clip'>) {
  return (
    <>
      <ol class="plan" data-plan>
        {planOf(full, clip).map((step) => (
          <li>{step}</li>
        ))}
      </ol>
      <Button type="button" size="small" id="foresee">
        Estimate size, time and cost
      </Button>
      <ul class="plan" data-foreseen aria-live="polite"></ul>
      <p class="soft">Nothing is done before you create the video.</p>
    </>
  )
}

function JsonEditor({ text }: { text: string }) {
  return (
    <figure class="code">
      <figcaption>
        <label for="request-json">Edit it here or with the controls</label>
        <Button size="small" look="quiet" copy={text} label="Copy JSON">
          Copy
        </Button>
      </figcaption>
      <textarea
        class="input mono"
        id="request-json"
        rows={12}
        spellcheck={false}
        autocomplete="off"
        aria-describedby="request-fault"
      >
        {text}
      </textarea>
      <p class="fault" id="request-fault" role="alert"></p>
    </figure>
  )
}
