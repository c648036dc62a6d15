import { z } from 'zod'
import { limits } from '../../contract/limits.ts'
import { videoId } from '../../contract/ids.ts'

export type Action = 'cancel' | 'delete'

/** The question that each action asks before it is done. */
export const asked: Readonly<Record<Action, { title: string; ends: string; button: string }>> = {
  cancel: {
    title: 'Cancel',
    ends: 'The work done so far is lost. The video stays in the list, and you can make it again.',
    button: 'Cancel it',
  },
  delete: {
    title: 'Delete',
    ends: 'The video, its files, its transcript and all links to it are deleted at once. This cannot be undone.',
    button: 'Delete it',
  },
}

/** Where a form may lead back to: the list, or one video. */
const back = z
  .string()
  .max(2000)
  .regex(/^\/app\/videos(\/v_[0-9A-Za-z]{8})?(\?[^\r\n]*)?$/)
  .catch('/app/videos')

const actions = ['cancel', 'delete', 'cancel-confirmed', 'delete-confirmed'] as const

/** The form of the list, and the one of a single video. */
export const actionForm = z.object({
  action: z.enum(actions).transform((text) => ({
    action: text.startsWith('cancel') ? ('cancel' as const) : ('delete' as const),
    isConfirmed: text.endsWith('-confirmed'),
  })),
  videoIds: z.array(videoId).max(limits.listPageSize),
  back,
})
export type ActionForm = z.infer<typeof actionForm>
