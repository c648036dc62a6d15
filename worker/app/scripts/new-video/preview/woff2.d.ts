/** The address at which a font is served. */
declare module '*.woff2' {
  const address: string
  export default address
}
