// What the editor's model is asked, and what is made of its answer. Pure.
export interface ModelRequest {
  prompt: string;
  schema: unknown;
}

/** What is asked: the prompt, and the form that the answer must have. */
export function questionOf({ prompt, schema }: ModelRequest): string {
  return (
    /* not shown */ `${prompt}\n\nAnswer with one JSON object that fits the JSON Schema below, without any words ` +
    /* not shown */ `around it and without a code fence.\n\n${JSON.stringify(schema)}`
  );
}

/** The answer without the fence that models put around it all the same. */
export function unfenced(text: string): string {
  const fence = /^\s*```[a-z]*\s*\n([\s\S]*?)\n?```\s*$/i.exec(text);
  return fence?.[1] ?? text;
}

/**
 * The model that the setting names by id, family or name; the first where it names none. Throws, in
 * words that the server passes on, where there is no such model: another may cost what nobody chose.
 */
export function chooseModel<M extends { id: string; family: string; name: string }>(
  models: readonly M[],
  wanted: string,
): M {
  const [first] = models;
  if (first === undefined) {
    throw new Error("it has no language model at the moment");
  }
  if (wanted === "") {
    return first;
  }
  const named = models.find(({ id, family, name }) => [id, family, name].includes(wanted));
  if (named === undefined) {
    const names = [...new Set(models.map(({ name }) => name))].join(", ");
    throw new Error(
      `it has no model "${wanted}", which the setting tutor.model names, but ${names}. ` +
        "Name one of these there, or clear it",
    );
  }
  return named;
}
