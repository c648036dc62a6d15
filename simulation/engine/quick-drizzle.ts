import path from 'node:path'

const folder = 'node_modules/drizzle-orm'
const quickly = JSON.stringify(path.join(import.meta.dirname, 'quick-sql.ts'))

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
    replace: `import { QuickSql } from ${quickly};
var quickSql;
var noTables = [];
var texts = new WeakMap();
function textsOf(strings) {
  const known = texts.get(strings) ?? strings.map((text) => new StringChunk(text));
  texts.set(strings, known);
  return known;
}
function mergeQueries(`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: '  buildQueryFromSourceParams(chunks, _config) {',
    replace: `  buildQueryFromSourceParams(chunks, config) {
    quickSql ??= new QuickSql({ StringChunk, SQL, Name, Column, Param, Placeholder });
    return quickSql.write(chunks, config, (chunks, config) => this.buildSlowly(chunks, config));
  }
  buildSlowly(chunks, _config) {`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: '    this.queryChunks.push(...query.queryChunks);',
    replace: '    this.queryChunks.push(...query.queryChunks);\n    this.fixedText = undefined;',
  },
  {
    file: `${folder}/sql/sql.js`,
    find: 'queryChunks.push(new StringChunk(strings[0]));',
    replace: 'queryChunks.push(textsOf(strings)[0]);',
  },
  {
    file: `${folder}/sql/sql.js`,
    find: `  for (const [paramIndex, param2] of params.entries()) {
    queryChunks.push(param2, new StringChunk(strings[paramIndex + 1]));
  }`,
    replace: `  for (let i = 0; i < params.length; i++) queryChunks.push(params[i], textsOf(strings)[i + 1]);`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: `    for (const chunk of queryChunks) {
      if (is(chunk, Table)) {`,
    replace: `    for (const chunk of noTables) {
      if (is(chunk, Table)) {`,
  },
  {
    file: `${folder}/sql/sql.js`,
    find: '  usedTables = [];',
    replace: '  usedTables = noTables;',
  },
  {
    file: `${folder}/utils.js`,
    find: 'for (const [pathChunkIndex, pathChunk] of path.entries()) {',
    replace: `for (let pathChunkIndex = 0; pathChunkIndex < path.length; pathChunkIndex++) {
        const pathChunk = path[pathChunkIndex];`,
  },
  {
    file: `${folder}/utils.js`,
    find: 'function orderSelectedFields(fields, pathPrefix) {',
    replace: `const fieldLists = new WeakMap();
function orderSelectedFields(fields, pathPrefix) {
  if (pathPrefix) return orderFields(fields, pathPrefix);
  const known = fieldLists.get(fields) ?? orderFields(fields);
  fieldLists.set(fields, known);
  return known;
}
function orderFields(fields, pathPrefix) {`,
  },
  {
    file: `${folder}/sqlite-core/dialect.js`,
    find: '  buildSelection(fields, { isSingleTable = false } = {}) {',
    replace: `  buildSelection(fields, { isSingleTable = false } = {}) {
    const lists = isSingleTable ? ofOneTable : ofTables;
    const known = lists.get(fields) ?? this.buildList(fields, isSingleTable);
    lists.set(fields, known);
    return known;
  }
  buildList(fields, isSingleTable) {`,
  },
  {
    file: `${folder}/sqlite-core/dialect.js`,
    find: 'class SQLiteDialect {',
    replace:
      'const ofOneTable = new WeakMap();\nconst ofTables = new WeakMap();\nclass SQLiteDialect {',
  },
]
