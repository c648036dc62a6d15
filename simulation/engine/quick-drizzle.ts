const folder = 'node_modules/drizzle-orm'

/**
 * Drizzle writes the same statements in less time. It is made for several copies of itself in one program, which this one
 * does not have, and it makes up the name of a column each time: a fifth of a simulated day went there.
 */
export const quickDrizzle = [
  {
    file: `${folder}/entity.js`,
    find: 'if (value instanceof type) {\n    return true;\n  }',
    replace: 'return value instanceof type;',
  },
  {
    file: `${folder}/sqlite-core/dialect.js`,
    find: 'sql`${sql.identifier(tableName)}.${sql.identifier(this.casing.getColumnCasing(field))}`\n',
    replace: 'field\n',
  },
  {
    file: `${folder}/sql/sql.js`,
    find: 'function mergeQueries(',
    replace: 'const columnNames = new WeakMap();\nfunction mergeQueries(',
  },
  {
    file: `${folder}/sql/sql.js`,
    find: 'const columnName = casing.getColumnCasing(chunk);',
    replace: `if (columnNames.has(chunk) && _config.invokeSource !== "indexes") return columnNames.get(chunk);
        const columnName = casing.getColumnCasing(chunk);`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: `return {
          sql: chunk.table[IsAlias] ||`,
    replace: `const named = { params: [] };
        columnNames.set(chunk, named);
        named.sql = (chunk.table[IsAlias] ||`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: `escapeName(columnName),
          params: []
        };
      }
      if (is(chunk, View))`,
    replace: `escapeName(columnName));
        return named;
      }
      if (is(chunk, View))`,
  },
]
