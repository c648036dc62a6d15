import type { Plan } from '../../contract/video/video-plan.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import type { Tool } from '../tool.ts'

export const planVideo: Tool = {
  name: 'plan_video',
  title: 'Plan a video',
  description:
    'Says what make_video with these arguments would do: steps, copied or encoded, size, time, price, warnings, faults. Makes nothing.',
  inputSchema: () => ({ type: 'object', description: 'The arguments of make_video' }),
  hints: { readOnlyHint: true, idempotentHint: true },
  async run(args, { ask }) {
    // A plan makes nothing, so it needs no idempotency key.
    const answer = await ask({ route: 'createPlan', body: { ...args, idempotencyKey: undefined } })
    if (!answer.ok) return tellRefusal(answer)
    const { steps, summary, refusal, ...plan } = await answer.json<Plan>()
    const next = refusal
      ? 'change the arguments, and plan again.'
      : 'call make_video with the same arguments.'
    const numbered = steps.map((step, i) => `${i + 1}. ${step}`)
    return {
      text: ['Spool would:', ...numbered, ...summary, `Next: ${next}`].join('\n'),
      data: { steps, refusal, ...plan, next },
    }
  },
}
