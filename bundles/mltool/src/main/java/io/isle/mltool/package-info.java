/** The tool for models that runs without a platform: keys, signatures, files of models. */
package io.isle.mltool;
