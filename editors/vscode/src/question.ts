// What the editor's model is asked, and what is made of its answer. Pure.
export interface ModelRequest {
  prompt: string;
  schema: unknown;
}

/** What is asked: the prompt, and the form that the answer must have. */
export function questionOf({ prompt, schema }: ModelRequest): string {
  return (
    `${prompt}\n\nAnswer with one JSON object that fits the JSON Schema below, without any words ` +
    `around it and without a code fence.\n\n${JSON.stringify(schema)}`
  );
}

/** The answer without the fence that models put around it all the same. */
export function unfenced(text: string): string {
  const fence = /^\s*```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i.exec(text);
  return fence?.[1] ?? text;
}

/** The model that the setting names by id, family or name; else the first. */
export function chooseModel<M extends { id: string; family: string; name: string }>(
  models: readonly M[],
  wanted: string,
): M | undefined {
  const named = models.find(({ id, family, name }) => [id, family, name].includes(wanted));
  return named ?? models[0];
}
