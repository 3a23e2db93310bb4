/** The text that is typed into the palette. */
export interface TypedText {
  readonly text: string;
  /** Whether Enter followed the text, before what it finds was there to be opened. */
  readonly isEntered: boolean;
}

export const nothingTyped: TypedText = { text: '', isEntered: false };

/** The longest text that the palette searches for. */
export const typedCharactersMax = 100;
