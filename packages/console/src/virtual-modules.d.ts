declare module 'virtual:call-table' {
  const table: Readonly<
    Record<
      string,
      {
        readonly method: string;
        readonly path: string;
        readonly query: readonly string[];
        readonly hasBody: boolean;
        readonly answeredOnce?: true;
      }
    >
  >;
  export default table;
}

declare module 'virtual:signers' {
  /** The text of the signer of each language. */
  const signers: Readonly<Record<string, string>>;
  export default signers;
}
