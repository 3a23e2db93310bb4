interface ProfileText {
  readonly meaning: string;
  readonly charactersMax: number;
}

/**
 * The texts of a user's profile, in the order of the documents. They are data, not schemas, because the console's bundle
 * has no room for schemas. `fields.ts` makes the schemas from them. The server has a column of the same name for each.
 */
export const profileTexts = {
  real_name: { meaning: 'Name of the person', charactersMax: 100 },
  nickname: { meaning: 'Name to show', charactersMax: 100 },
  email: { meaning: 'Email address; its format is not checked', charactersMax: 255 },
  phone: { meaning: 'Telephone number; its format is not checked', charactersMax: 255 },
  department: { meaning: 'Department', charactersMax: 100 },
  avatar: { meaning: 'URL of a picture', charactersMax: 250 },
  unique_code: { meaning: 'A code that the caller chooses, such as an employee number', charactersMax: 50 },
} as const satisfies Record<string, ProfileText>;

export type ProfileTextName = keyof typeof profileTexts;

export const profileTextNames = Object.keys(profileTexts) as readonly ProfileTextName[];
