import type { Member } from '../../contract/people/member.ts'

/** The parts of the dashboard that its navigation leads to, in its order. */
const sections = [
  { name: 'videos', label: 'Videos', href: '/app/videos' },
  { name: 'new-video', label: 'New video', href: '/app/videos/new' },
  { name: 'batches', label: 'Batches', href: '/app/batches' },
  { name: 'keys', label: 'Keys', href: '/app/keys' },
  { name: 'webhooks', label: 'Webhooks', href: '/app/webhooks' },
  { name: 'storages', label: 'Storages', href: '/app/storages' },
  { name: 'usage', label: 'Usage', href: '/app/usage' },
  { name: 'settings', label: 'Settings', href: '/app/settings' },
  { name: 'operator', label: 'Operator', href: '/app/operator' },
] as const
export type SectionName = (typeof sections)[number]['name']

/** What the member's navigation has. */
export function sectionsFor({ isOperator }: Pick<Member, 'isOperator'>) {
  return sections.filter(({ name }) => name !== 'operator' || isOperator)
}
