import { guideSections } from '../../worker/reference/guides/guide-list.ts'

/** The guides as the README lists them, one row for each section. */
export function guidesTable(): string {
  const rows = guideSections.map(({ title, pages }) => {
    const links = pages.map((page) => `[${page.title}](${page.file})`)
    return `| ${title} | ${links.join(' · ')} |`
  })
  return ['| | |', '|---|---|', ...rows].join('\n')
}
