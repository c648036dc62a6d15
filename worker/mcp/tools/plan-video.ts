import type { VideoPlan } from '../../contract/video/video-record.ts'
import { tellRefusal } from '../say/tell-refusal.ts'
import type { Tool } from '../tool.ts'

export const planVideo: Tool = {
  name: 'plan_video',
  title: 'Check a plan',
  description:
    'Checks arguments for make_video without making or fetching anything: takes the same arguments, answers what would be done step by step, or every fault with its path. Use it when you are unsure of the options.',
  inputSchema: () => ({ type: 'object', description: 'The arguments of make_video' }),
  hints: { readOnlyHint: true, idempotentHint: true },
  async run(args, { ask }) {
    // It means nothing where nothing is made.
    const request = { ...args, idempotencyKey: undefined }
    const answer = await ask({ route: 'planVideo', body: request })
    if (!answer.ok) return tellRefusal(answer)
    const { steps, request: plan } = await answer.json<VideoPlan>()
    const next = 'call make_video with the same arguments.'
    const numbered = steps.map((step, i) => `${i + 1}. ${step}`)
    const unknown = 'Not checked: whether the sources can be fetched and decoded.'
    return {
      text: ['These arguments are valid. Spool would:', ...numbered, unknown, `Next: ${next}`].join(
        '\n',
      ),
      data: { steps, request: plan, next },
    }
  },
}
