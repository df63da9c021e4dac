/** The action of a command, whose code is loaded when it runs. A number that it resolves to is the exit code. */
export const lazyAction =
  <Words extends readonly unknown[]>(load: () => Promise<(...words: Words) => Promise<unknown>>) =>
  async (...words: Words): Promise<void> => {
    const run = await load()
    const code = await run(...words)
    if (typeof code === 'number') process.exitCode = code
  }
