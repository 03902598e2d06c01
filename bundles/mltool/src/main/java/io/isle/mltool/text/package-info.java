/** The text form of models: JSON that people and programs of training write. */
package io.isle.mltool.text;
