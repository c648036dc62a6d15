import { describe, expect, it } from 'vitest'
import { noteApplied } from '../../../scripts/host/applied-migrations.ts'
import { createDataDirectory } from '../../../scripts/start/data-directory.ts'
import { requireDatabases } from '../../../scripts/start/require-databases.ts'
import { temporaryDirectory } from '../../support/scripts/temporary-directory.ts'

describe('requireDatabases', () => {
  it('refuses to start with fewer databases than the service has, and says how to start it', () => {
    const data = createDataDirectory(temporaryDirectory())
    requireDatabases(data, { DATABASES: 1 })
    noteApplied(data.state, { DB: ['0001_foundation.sql'], DB_1: ['0001_foundation.sql'] })
    expect(() => requireDatabases(data, { DATABASES: 1 })).toThrow(
      /has 2 databases.*DATABASES=2 npm start/,
    )
    requireDatabases(data, { DATABASES: 2 })
    requireDatabases(data, { DATABASES: 3 })
  })
})
