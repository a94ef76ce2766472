"""The commands of `repline train`, by what they train; `repline.cli.train` puts them together."""
