/** The name by which the Worker finds a database, and its id on this machine. wrangler.toml has the first one. */
export const databaseBinding = (number: number) => (number === 0 ? 'DB' : `DB_${number}`)

export const databaseId = (number: number) =>
  `00000000-0000-0000-0000-${String(number).padStart(12, '0')}`
